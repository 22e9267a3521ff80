import type { z } from 'zod'
import { echo } from '../../base/text.js'
import { reader } from './reader.js'

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): z.ZodType<number, string> {
  return reader(text => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return { value }
    return { wrong: `is ${echo(text)}, not a whole number from ${min} to ${max}` }
  })
}
