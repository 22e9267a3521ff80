import type { z } from 'zod'
import { closest } from '../../base/closest.js'
import { echo } from '../../base/text.js'
import { reader } from './reader.js'

/** One of a few words. */
export function oneOf<const T extends string>(...accepted: readonly T[]): z.ZodType<T, string> {
  return reader(text => {
    const value = accepted.find(word => word === text)
    if (value !== undefined) return { value }
    const meant = closest(text, accepted)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    return { wrong: `is ${echo(text)}, not one of ${accepted.join(', ')}${hint}` }
  })
}
