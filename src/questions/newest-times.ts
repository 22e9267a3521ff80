import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import type { TimeSpan } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { askCounts, type CallsOf, spansOf } from './counted.js'
import type { KindCounts } from './kinds.js'
import { readDocuments } from './read-document.js'
import { commonTime } from './settled.js'

/** A value, and how many of its newest calls are wanted. */
interface WantedCalls {
  readonly id: unknown
  readonly least: number
}

/** Most values and times that are read. */
const MOST_ROWS = 100_000

const row = z.object({ _id: z.object({ id: z.unknown(), at: z.date() }), calls: z.number() })

/**
 * The days in which the newest calls with some values are, oldest first: months are looked through for them, and the days of those
 * months. There are at least as many calls as wanted, or all there are, but for those that counts do not tell apart.
 * @param calls of all agents in scope
 */
export async function newestTimes(
  asker: Asker,
  calls: Omit<CallsOf, 'agents'>,
  counts: KindCounts,
  wanted: readonly WantedCalls[],
): Promise<readonly TimeSpan[]> {
  let spans = spansOf(calls)
  for (const unit of ['month', 'day'] as const) {
    if (spans.length === 0) break
    // oxlint-disable-next-line no-await-in-loop -- days of the months that were found
    const documents = await askCounts(
      asker,
      counts.by,
      calls.filter ?? {},
      [
        { $match: counts.among(wanted.map(({ id }) => id)) },
        {
          $group: {
            _id: { id: counts.id, at: { $dateTrunc: { date: '$day', unit } } },
            calls: { $sum: counts.calls },
          },
        },
        { $sort: { '_id.at': -1 } },
      ],
      { spans, maxDocuments: MOST_ROWS, ...(unit === 'month' && { months: true }) },
    )
    const times = newestOf(readDocuments(row, documents), wanted, unit, asker.project.timezone)
    spans = within(spans, times, asker.now)
  }
  return spans
}

/** The times of which each value has enough, in order and joined. @param rows newest first */
function newestOf(
  rows: readonly z.infer<typeof row>[],
  wanted: readonly WantedCalls[],
  unit: 'month' | 'day',
  timeZone: string,
): readonly Required<TimeSpan>[] {
  const left = new Map(wanted.map(({ id, least }) => [JSON.stringify(id), least]))
  const times = new Set<number>()
  for (const { _id, calls } of rows) {
    const key = JSON.stringify(_id.id)
    const missing = left.get(key) ?? 0
    if (missing <= 0) continue
    left.set(key, missing - calls)
    times.add(_id.at.getTime())
  }
  const found: Required<TimeSpan>[] = []
  for (const at of [...times].toSorted((a, b) => a - b)) {
    const first = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC').toPlainDate()
    const startOf = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime(timeZone).epochMilliseconds)
    const [from, before] = [startOf(first), startOf(first.add({ [`${unit}s`]: 1 }))]
    const last = found.at(-1)
    if (last !== undefined && last.before.getTime() === from.getTime())
      found[found.length - 1] = { from: last.from, before }
    else found.push({ from, before })
  }
  return found
}

/** What of times lies in others. One that nothing ends stays so at the present: whoever names a later instant asks for later calls. */
function within(spans: readonly TimeSpan[], times: readonly Required<TimeSpan>[], now: number): readonly TimeSpan[] {
  return times.flatMap(time =>
    spans.flatMap(span => {
      const isOpen = span.before === undefined && time.before.getTime() > now
      return commonTime(span, isOpen ? { from: time.from } : time) ?? []
    }),
  )
}
