import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import type { Window } from './window.js'
import { figure } from './figure.js'

/** A measure of the window, as it was just before. */
export const previousSchema = z.strictObject({
  calls: z.int(),
  average_score: figure.optional(),
  scored_calls: z.int(),
})

/**
 * The filter on the same length of time just before a window, in days of the project's calendar: a week before one in
 * which clocks change is a week too. Undefined for a window without a beginning.
 */
export function justBefore({ filter, until }: Pick<Window, 'filter' | 'until'>, timeZone: string) {
  const from = filter.created_dt?.$gte
  if (from === undefined) return undefined
  const local = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  const start = local(from.getTime())
  const length = start.until(local(until), { largestUnit: 'days' })
  return { ...filter, created_dt: { $gte: new Date(start.subtract(length).epochMilliseconds), $lt: from } }
}
