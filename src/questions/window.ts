import { z } from 'zod'
import { type DateRange, isoInstant, readRange } from '../base/window.js'
import type { Asker } from './asker.js'
import { type Trust, trustFilter } from './trusted.js'
import { askAgents, type CallFilter, type CallsOf } from './counted.js'
import { settledApart } from './settled.js'

/** The period an answer is over, as resolved. */
export const windowSchema = z
  .strictObject({
    from: z.string().optional().meta({ description: 'First instant; absent when there are no calls before the end' }),
    to: z.string().meta({ description: 'End of the period' }),
    time_zone: z.string(),
    min_trust: z.string().optional().meta({ description: 'Calls whose evaluation can be relied on less are left out' }),
  })
  .meta({ description: 'The period answered for, as resolved' })

export interface Window {
  readonly echo: z.infer<typeof windowSchema>
  /** The first instant after it, milliseconds since 1970. */
  readonly until: number
  /** The filter that the period and the trust make. */
  readonly filter: CallFilter
}

interface Given {
  readonly date_from?: string | undefined
  readonly date_to?: string | undefined
  readonly min_trust?: Trust | undefined
}

const NAMES = ['date_from', 'date_to'] as const

/**
 * Resolves the bounds a caller gave: none = from the first call in scope to now. Inside, the range is half-open; the
 * echoed end is the last instant covered where the caller named one. Without an end the filter has none: the asker hears
 * of no call that is dated after now, and what the store finds it may give again.
 */
export async function resolveWindow(
  asker: Asker,
  given: Given,
  names: readonly [string, string] = NAMES,
): Promise<Window> {
  const zone = asker.project.timezone
  const range: DateRange = readRange(given.date_from, given.date_to, names, { timeZone: zone, now: asker.now })
  // One that begins after now is empty: it may not seem to end before it begins.
  const until = range.until ?? Math.max(asker.now, range.from ?? asker.now)
  const first =
    range.from === undefined ? await firstCall(asker, {}, until > asker.now ? { future: true } : {}) : undefined
  // A period that ends before the first call begins nowhere.
  const from = range.from ?? (first !== undefined && first < until ? first : undefined)
  const bounds = {
    ...(range.from === undefined ? {} : { $gte: new Date(range.from) }),
    ...(range.until === undefined && until === asker.now ? {} : { $lt: new Date(until) }),
  }
  return {
    until,
    echo: {
      ...(from === undefined ? {} : { from: isoInstant(from) }),
      to: isoInstant(range.until === undefined ? until : until - 1),
      time_zone: zone,
      ...(given.min_trust === undefined ? {} : { min_trust: given.min_trust }),
    },
    filter: { ...(Object.keys(bounds).length === 0 ? {} : { created_dt: bounds }), ...trustFilter(given.min_trust) },
  }
}

/** When the first of some calls in scope began: what is over is asked for first, and mostly remembered. */
export async function firstCall(
  asker: Asker,
  which: Omit<CallsOf, 'spans'> = {},
  options: { readonly future?: true } = {},
): Promise<number | undefined> {
  const parts = options.future === true ? [{ spans: [{}] }] : settledApart(asker, [{}])
  for (const { spans } of parts) {
    // oxlint-disable-next-line no-await-in-loop -- a later part is asked for where the ones before it have none
    const { first } = await callsOf(asker, { ...which, spans }, options)
    if (first !== undefined) return first
  }
  return undefined
}

/** When the first and the last of some calls in scope began. @param options `future`: of those too that are dated ahead */
export async function callsOf(
  asker: Asker,
  which: CallsOf = {},
  options: { readonly future?: true } = {},
): Promise<{ readonly first?: number; readonly last?: number }> {
  const stages = [{ $group: { _id: null, first: { $min: '$first' }, last: { $max: '$last' } } }]
  const [found] = await askAgents(asker, which, stages, options)
  const { first, last } = found ?? {}
  return first instanceof Date && last instanceof Date ? { first: first.getTime(), last: last.getTime() } : {}
}
