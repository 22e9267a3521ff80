import type { z } from 'zod'
import { echo } from '../../base/text.js'
import { isLoopback } from './is-loopback.js'
import { reader } from './reader.js'

/** An address that keys may be fetched from: https, or http on loopback. */
export function secureUrl(): z.ZodType<string, string> {
  return reader(text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
    return secure ? { value: text } : { wrong: `is ${echo(text)}, not an https:// address (http:// only on loopback)` }
  })
}
