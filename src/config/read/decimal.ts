import type { z } from 'zod'
import { echo } from '../../base/text.js'
import { reader } from './reader.js'

/** A number from `min` to `max`, with a point before decimals. */
export function decimal(min: number, max: number): z.ZodType<number, string> {
  return reader(text => {
    const value = /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return { value }
    return { wrong: `is ${echo(text)}, not a number from ${min} to ${max}` }
  })
}
