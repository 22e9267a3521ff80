import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import type { TimeSpan } from '../pipeline/index.js'
import type { Asker } from './asker.js'
import { askCounts, type CallsOf, spansOf, total } from './counted.js'
import type { KindCounts } from './kinds.js'
import { readDocuments } from './read-document.js'
import { commonTime, unitedTimes } from './settled.js'

/** A value, and how many of its newest calls are wanted. */
interface WantedCalls {
  readonly id: unknown
  readonly least: number
}

/** Values of a kind. */
interface WantedOf {
  readonly counts: KindCounts
  readonly of: readonly WantedCalls[]
}

/** Most values and times that are read. */
const MOST_ROWS = 100_000

const row = z.object({
  _id: z.object({ by: z.string(), at: z.date() }).catchall(z.unknown()),
  calls: z.number(),
})
type Row = z.infer<typeof row>

/**
 * Of each kind the days in which the newest calls with some of its values are, oldest first: months are looked through for them, and the days of
 * those months, for all kinds at once. There are at least as many calls as wanted, or all there are, but for those that counts do not tell apart.
 * @param calls of all agents in scope
 * @param wanted each of another kind
 */
export async function newestTimes(
  asker: Asker,
  calls: Omit<CallsOf, 'agents'>,
  wanted: readonly WantedOf[],
): Promise<readonly (readonly TimeSpan[])[]> {
  let found = wanted.map(() => spansOf(calls))
  // Kinds that are told by the same expression have it once.
  const ids = [...new Map(wanted.map(({ counts: { id } }) => [JSON.stringify(id), id])).values()]
  const nameOf = ({ id }: KindCounts) => `of_${ids.findIndex(one => JSON.stringify(one) === JSON.stringify(id))}`
  const each = wanted.map(({ counts, of }) => ({
    $and: [{ by: { $eq: counts.by } }, counts.among(of.map(({ id }) => id))],
  }))
  for (const unit of ['month', 'day'] as const) {
    const spans = unitedTimes(found.flat())
    if (spans.length === 0) break
    // oxlint-disable-next-line no-await-in-loop -- days of the months that were found
    const documents = await askCounts(
      asker,
      wanted.map(({ counts }) => counts.by),
      calls.filter ?? {},
      [
        { $match: { $or: each } },
        {
          $group: {
            _id: {
              by: '$by',
              at: { $dateTrunc: { date: '$day', unit } },
              ...Object.fromEntries(ids.map((id, at) => [`of_${at}`, id])),
            },
            calls: total('calls'),
          },
        },
        { $sort: { '_id.at': -1 } },
      ],
      { spans, maxDocuments: MOST_ROWS, ...(unit === 'month' && { months: true }) },
    )
    const rows = readDocuments(row, documents)
    found = wanted.map(({ counts, of }, at) => {
      const own = rows.filter(({ _id: { by } }) => by === counts.by)
      return within(found[at]!, newestOf(own, nameOf(counts), of, unit, asker.project.timezone), asker.now)
    })
  }
  return found
}

/** The times of which each value has enough, in order and joined. @param rows newest first @param name what the value stands in */
function newestOf(
  rows: readonly Row[],
  name: string,
  wanted: readonly WantedCalls[],
  unit: 'month' | 'day',
  timeZone: string,
): readonly Required<TimeSpan>[] {
  const left = new Map(wanted.map(({ id, least }) => [JSON.stringify(id), least]))
  const times = new Set<number>()
  for (const { _id, calls } of rows) {
    const key = JSON.stringify(_id[name])
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
