import { Temporal } from 'temporal-polyfill'
import { countedParts } from '../../counted-parts.js'
import { countedDays, isOutside, type ReadRows } from './listed-days.js'

/** Calls that one transaction counts: half a second or so in which nothing else is written. */
export const CALLS_AT_ONCE = 10_000
/** Most days without calls between two with some that are counted with them, as none. */
const MOST_EMPTY_DAYS = 31
/**
 * Of a day with many calls that still goes on, what began less long ago is not counted, milliseconds: calls come when they are over, and
 * one that comes to what is counted has the day counted from its beginning.
 */
const LATE_MS = 60 * 60 * 1000

/** What one transaction counts: local days in a row, or a piece of one that has more calls than that. */
export interface DaysToCount {
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
  /** Of a single day: from when until when its calls are counted, milliseconds since 1970. Of the time before it they are. */
  readonly piece?: { readonly from: number; readonly until: number }
}

interface Asked {
  readonly projectId: string
  readonly timeZone: string
  readonly callsAtOnce: number
}

/**
 * The next days to count, or the next piece of one: the oldest that hold calls and are not counted, as many as one transaction takes, and
 * how many days are left then. Only a plan: what is counted is right whatever days are chosen.
 * @param read reads rows, times as milliseconds since 1970
 */
export async function nextDays(
  read: ReadRows,
  asked: Asked,
): Promise<(DaysToCount & { readonly left: number }) | undefined> {
  const { projectId, timeZone, callsAtOnce } = asked
  const days = await countedDays(read, projectId, timeZone)
  const { rests } = countedParts([{}], days)
  // By days of UTC: cheap.
  const groups = await read(
    `select epoch_ms(min(created_dt)), epoch_ms(max(created_dt)), count(*) from calls
     where project_id = $1 and ${isOutside(rests)} group by created_dt::date order by 1`,
    [projectId],
  )
  const dayOf = (ms: unknown, zone = timeZone) =>
    Temporal.Instant.fromEpochMilliseconds(Number(ms)).toZonedDateTimeISO(zone).toPlainDate()
  const found = groups.map(([from, to, calls]) => ({ first: dayOf(from), last: dayOf(to), calls: Number(calls) }))
  const known = new Set(days.map(({ day }) => day))
  const begun = days.filter(({ isBegun }) => isBegun)
  // One that is over is counted to its end, whether calls came behind or not: what is added up of days wants whole ones.
  for (const { day, until } of begun) {
    const first = dayOf(day, 'UTC')
    // oxlint-disable-next-line no-await-in-loop -- mostly there is one
    const piece = await pieceOf(read, asked, first, until)
    if (piece === undefined) continue
    const isLast = piece.until === startOf(first.add({ days: 1 }), timeZone)
    const left = found.filter(group => !isLast || asUtc(group.first) !== day).length
    return { first, last: first, piece, left }
  }
  for (const [at, { first }] of found.entries()) {
    if (begun.some(({ day }) => day === asUtc(first))) continue
    const row = rowFrom(found.slice(at), known, callsAtOnce)
    const left = found.length - at - row.groups
    let { last } = row
    // oxlint-disable no-await-in-loop -- the oldest first
    // The last of them may have more calls, on the next day of UTC.
    while (isAfter(last, first) && (await callsOf(read, asked, first, last)) > callsAtOnce)
      last = last.subtract({ days: 1 })
    const empty = afterThose(known, first)
    if (isAfter(last, first)) return { first: empty, last, left }
    const start = startOf(first, timeZone)
    const end = startOf(first.add({ days: 1 }), timeZone)
    const isShort = (await callsOf(read, asked, first, last)) <= callsAtOnce
    const piece = isShort ? { from: start, until: end } : await pieceOf(read, asked, first, start)
    // oxlint-enable no-await-in-loop
    if (piece === undefined) continue
    if (piece.until === end) return { first: empty, last, left }
    // What comes before is counted first, so that a piece is of one day.
    if (isAfter(first, empty)) return { first: empty, last: first.subtract({ days: 1 }), left: left + 1 }
    return { first, last, piece, left: left + 1 }
  }
  return undefined
}

/** Calls of a day of UTC that are not counted, by the local days of the first and the last of them. */
interface Group {
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
  readonly calls: number
}

/** From the first group on as many as are counted together: the last of their days, and how many groups they are. */
function rowFrom(found: readonly Group[], known: ReadonlySet<number>, callsAtOnce: number) {
  let { last, calls } = found[0]!
  let groups = 1
  for (const next of found.slice(1)) {
    const gap = last.until(next.first).days
    const between = Array.from({ length: Math.max(0, gap) }, (_, i) => asUtc(last.add({ days: i + 1 })))
    if (calls + next.calls > callsAtOnce || gap > MOST_EMPTY_DAYS || between.some(day => known.has(day))) break
    if (isAfter(next.last, last)) last = next.last
    calls += next.calls
    groups += 1
  }
  return { last, groups }
}

/** The first of the days without calls between a day and those counted before it: they are counted as none, so that days follow one another. */
function afterThose(known: ReadonlySet<number>, first: Temporal.PlainDate): Temporal.PlainDate {
  for (let days = 1; days <= MOST_EMPTY_DAYS; days += 1) {
    if (known.has(asUtc(first.subtract({ days })))) return first.subtract({ days: days - 1 })
  }
  return first
}

async function callsOf(
  read: ReadRows,
  { projectId, timeZone }: Asked,
  first: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Promise<number> {
  const [from, until] = [startOf(first, timeZone), startOf(last.add({ days: 1 }), timeZone)]
  const [row] = await read(`select count(*) from calls where project_id = $1 and ${isOutside([{ from, until }])}`, [
    projectId,
  ])
  return Number(row?.[0])
}

/** The piece of a day that begins at an instant: to the end of the day, or as many calls as are counted at once. Undefined where that has to wait. */
async function pieceOf(
  read: ReadRows,
  { projectId, timeZone, callsAtOnce }: Asked,
  day: Temporal.PlainDate,
  from: number,
): Promise<DaysToCount['piece']> {
  const end = startOf(day.add({ days: 1 }), timeZone)
  const late = Date.now() - LATE_MS
  if (Math.min(late, end) <= from) return undefined
  const [row] = await read(
    `select epoch_ms(min(created_dt)), epoch_ms(max(created_dt)), count(*) from (select created_dt from calls
       where project_id = $1 and ${isOutside([{ from, until: Math.min(late, end) }])} order by created_dt limit ${callsAtOnce + 1})`,
    [projectId],
  )
  const [first, last, count] = row!.map(Number)
  // All of those that began within one millisecond at least.
  if (count! > callsAtOnce) return { from, until: Math.max(last!, first! + 1) }
  return end <= late ? { from, until: end } : undefined
}

const isAfter = (a: Temporal.PlainDate, b: Temporal.PlainDate) => Temporal.PlainDate.compare(a, b) > 0
/** A day as lists of days name it: its midnight, written as if it were UTC; milliseconds since 1970. */
export const asUtc = (day: Temporal.PlainDate): number => day.toZonedDateTime('UTC').epochMilliseconds
/** When a local day begins, milliseconds since 1970. */
export const startOf = (day: Temporal.PlainDate, timeZone: string): number =>
  day.toZonedDateTime(timeZone).epochMilliseconds
