import { z } from 'zod'
import { type DateRange, isoInstant, readRange } from '../base/window.js'
import type { Asker } from './asker.js'

/** The period an answer is over, as resolved. */
export const windowSchema = z
  .strictObject({
    from: z.string().optional().meta({ description: 'First instant; absent when there are no calls before the end' }),
    to: z.string().meta({ description: 'End of the period' }),
    time_zone: z.string(),
  })
  .meta({ description: 'The period answered for, as resolved' })

export interface Window {
  readonly echo: z.infer<typeof windowSchema>
  /** The first instant after it, milliseconds since 1970. */
  readonly until: number
  /** The filter on the start of the call, for a $match. */
  readonly filter: { readonly created_dt: { readonly $gte?: Date; readonly $lt: Date } }
}

const NAMES = ['date_from', 'date_to'] as const

/**
 * Resolves the bounds a caller gave: none = from the first call in scope to now. Inside, the range is half-open; the
 * echoed end is the last instant covered where the caller named one.
 */
export async function resolveWindow(
  asker: Asker,
  bounds: { readonly date_from?: string | undefined; readonly date_to?: string | undefined },
  names: readonly [string, string] = NAMES,
): Promise<Window> {
  const zone = asker.project.timezone
  const range: DateRange = readRange(bounds.date_from, bounds.date_to, names, { timeZone: zone, now: asker.now })
  // One that begins after now is empty: it may not seem to end before it begins.
  const until = range.until ?? Math.max(asker.now, range.from ?? asker.now)
  const { first, last } = range.from === undefined || range.until === undefined ? await callsOf(asker) : {}
  // A period that ends before the first call begins nowhere.
  const from = range.from ?? (first !== undefined && first < until ? first : undefined)
  // All calls are before now, as a rule. Then a bound behind the last one says the same, and stays the same from one
  // question to the next: the store may give again what it found.
  const end = range.until === undefined && last !== undefined && last < until ? last + 1 : until
  return {
    until,
    echo: {
      ...(from === undefined ? {} : { from: isoInstant(from) }),
      to: isoInstant(range.until === undefined ? until : until - 1),
      time_zone: zone,
    },
    filter: {
      created_dt: { ...(range.from === undefined ? {} : { $gte: new Date(range.from) }), $lt: new Date(end) },
    },
  }
}

/** When the first and the last call in scope began, of those that meet the conditions. */
export async function callsOf(
  asker: Asker,
  conditions: readonly object[] = [],
): Promise<{ readonly first?: number; readonly last?: number }> {
  const [found] = await asker.ask([
    ...conditions.map(condition => ({ $match: condition })),
    { $group: { _id: null, first: { $min: '$created_dt' }, last: { $max: '$created_dt' } } },
  ])
  const { first, last } = found ?? {}
  return first instanceof Date && last instanceof Date ? { first: first.getTime(), last: last.getTime() } : {}
}
