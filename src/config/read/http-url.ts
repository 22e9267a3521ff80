import type { z } from 'zod'
import { echo } from '../../base/text.js'
import { reader } from './reader.js'

/** An http:// or https:// address without a name or password in it. Whether http will do is decided beside it. */
export function httpUrl(): z.ZodType<string, string> {
  return reader(text => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    // Not repeated: it may hold a password.
    if (url !== undefined && (url.username !== '' || url.password !== '')) {
      return { wrong: 'holds a name or password, which have a setting of their own' }
    }
    const http = url?.protocol === 'https:' || url?.protocol === 'http:'
    return http ? { value: text } : { wrong: `is ${echo(text)}, not an https:// address` }
  })
}
