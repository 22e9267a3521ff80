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

/** Times that have nothing in common and are the same together, in order. */
export function unitedTimes(times: readonly TimeSpan[]): readonly TimeSpan[] {
  const start = ({ from }: TimeSpan) => from?.getTime() ?? -Infinity
  const end = ({ before }: TimeSpan) => before?.getTime() ?? Infinity
  const united: TimeSpan[] = []
  for (const time of times.toSorted((a, b) => start(a) - start(b))) {
    const last = united.at(-1)
    if (last === undefined || start(time) > end(last)) united.push(time)
    else if (end(time) > end(last))
      united[united.length - 1] = { ...(last.from && { from: last.from }), ...(time.before && { before: time.before }) }
  }
  return united
}
