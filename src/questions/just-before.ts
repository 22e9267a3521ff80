import { z } from 'zod'
import type { Window } from './window.js'
import { figure } from './figure.js'

/** A measure of the window, as it was just before. */
export const previousSchema = z.strictObject({
  calls: z.int(),
  average_score: figure.optional(),
  scored_calls: z.int(),
})

/** The filter on the same length of time just before a window; undefined for a window without a beginning. */
export function justBefore({ filter, until }: Pick<Window, 'filter' | 'until'>) {
  const from = filter.created_dt?.$gte
  if (from === undefined) return undefined
  return { created_dt: { $gte: new Date(from.getTime() - (until - from.getTime())), $lt: from } }
}
