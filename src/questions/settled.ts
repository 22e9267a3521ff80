import { Temporal } from 'temporal-polyfill'
import type { TimeSpan } from '../pipeline/index.js'
import type { Asker } from './asker.js'

/** Days before today whose calls are still coming: what lies before them mostly stays as it is, so that its counts are found once. */
const UNSETTLED_DAYS = 2

/** Times that are asked about together. */
export interface SpansTogether {
  readonly spans: readonly TimeSpan[]
  /** Which of the times that were given each is of. */
  readonly of: readonly number[]
}

/**
 * Times in two: what of them is over, and what lies in the last days or later. What is empty is left out. All together where nothing that
 * is found is kept.
 */
export function settledApart(
  { now, project, keepsSettled }: Asker,
  spans: readonly TimeSpan[],
): readonly SpansTogether[] {
  if (!keepsSettled) return [{ spans, of: spans.map((_, at) => at) }]
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(project.timezone).startOfDay()
  const settled = new Date(today.subtract({ days: UNSETTLED_DAYS }).epochMilliseconds)
  const over = spans.map(({ from, before }) => ({
    ...(from && { from }),
    before: before !== undefined && before < settled ? before : settled,
  }))
  const rest = spans.map(({ from, before }) => ({
    from: from !== undefined && from > settled ? from : settled,
    ...(before && { before }),
  }))
  return [over, rest].flatMap((each: readonly TimeSpan[]) => {
    const own = each.flatMap((span, at) =>
      span.from !== undefined && span.before !== undefined && span.from >= span.before ? [] : [{ span, at }],
    )
    return own.length === 0 ? [] : [{ spans: own.map(({ span }) => span), of: own.map(({ at }) => at) }]
  })
}
