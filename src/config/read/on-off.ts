import type { z } from 'zod'
import { echo } from '../../base/text.js'
import { reader } from './reader.js'

/** A switch: 1 or 0. */
export function onOff(): z.ZodType<boolean, string> {
  return reader(text => {
    if (/^(1|true|yes|on)$/i.test(text)) return { value: true }
    if (/^(0|false|no|off)$/i.test(text)) return { value: false }
    return { wrong: `is ${echo(text)}, not 1 or 0` }
  })
}
