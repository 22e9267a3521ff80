import type { z } from 'zod'
import { echo } from '../../base/text.js'
import { reader } from './reader.js'

/** A number from `min` to `max`, or the word `none`. */
export function decimalOrNone(min: number, max: number): z.ZodType<number | 'none', string> {
  return reader<number | 'none'>(text => {
    if (text === 'none') return { value: text }
    const value = /^\d{1,3}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return { value }
    return { wrong: `is ${echo(text)}, not a number from ${min} to ${max}, nor none` }
  })
}
