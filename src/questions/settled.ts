import { Temporal } from 'temporal-polyfill'
import type { TimeSpan } from '../pipeline/index.js'
import type { Asker } from './asker.js'

/** Days before today whose calls are still coming now and then: what lies before them mostly stays as it is. */
const UNSETTLED_DAYS = 2

/** Times that are asked about together. */
export interface SpansTogether {
  readonly spans: readonly TimeSpan[]
  /** Which of the times that were given each is of. */
  readonly of: readonly number[]
}

/**
 * Times in three: what of them is over, what lies in the last days before today, which each late call has counted anew, and what lies in today
 * or later. What is empty is left out. All together where nothing that is found is kept.
 */
export function settledApart(
  { now, project, keepsSettled }: Asker,
  spans: readonly TimeSpan[],
): readonly SpansTogether[] {
  if (!keepsSettled) return [{ spans, of: spans.map((_, at) => at) }]
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(project.timezone).startOfDay()
  const bounds = [today.subtract({ days: UNSETTLED_DAYS }), today].map(at => new Date(at.epochMilliseconds))
  return [undefined, ...bounds].flatMap((from, at) => {
    const part = { ...(from && { from }), ...(bounds[at] && { before: bounds[at] }) }
    const own = spans.flatMap((span, of) => {
      const within = commonTime(span, part)
      return within === undefined ? [] : [{ span: within, of }]
    })
    return own.length === 0 ? [] : [{ spans: own.map(({ span }) => span), of: own.map(({ of }) => of) }]
  })
}

/** What two times have in common; undefined for nothing. */
export function commonTime(a: TimeSpan, b: TimeSpan): TimeSpan | undefined {
  const from = a.from === undefined || (b.from !== undefined && b.from > a.from) ? b.from : a.from
  const before = a.before === undefined || (b.before !== undefined && b.before < a.before) ? b.before : a.before
  if (from !== undefined && before !== undefined && from >= before) return undefined
  return { ...(from && { from }), ...(before && { before }) }
}
