import { Temporal } from 'temporal-polyfill'
import { type CountedDay, countedParts } from '../../counted-parts.js'
import { countedDays, isOutside, type ReadRows } from './listed-days.js'

/** Calls that are counted together: some three seconds of a thread, and a hundred megabytes. */
export const CALLS_AT_ONCE = 50_000
/** Most days without calls between two with some that are counted with them, as none. */
const MOST_EMPTY_DAYS = 31
/** How long after a day's end calls still come to it, milliseconds: they do when they are over. */
const LATE_MS = 60 * 60 * 1000

/** What is counted together: local days in a row, or of one day the calls of some writes. Times are milliseconds since 1970. */
export interface DaysToCount {
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
  readonly from: number
  readonly until: number
  /** Up to which write the day is counted already. */
  readonly after?: bigint
  /** Up to which write it is counted then: calls still come to it, or not all are counted at once. Absent: whole days, whose calls are all counted. */
  readonly upTo?: bigint
}

/** The same, and how many days are left then. */
type Planned = DaysToCount & { readonly left: number }

interface Asked {
  readonly projectId: string
  readonly timeZone: string
  readonly callsAtOnce: number
  /** Only days from an instant on. */
  readonly from: number
  /** The last write of whose calls it is asked: otherwise there were some more each time. */
  readonly upTo: bigint
}

/**
 * The next days to count, or the next calls of one: the oldest that hold calls that are not counted, as many as are counted together, and
 * how many days are left then. Only a plan: what is counted is right whatever is chosen.
 * @param read reads rows, times as milliseconds since 1970
 */
export async function nextDays(read: ReadRows, asked: Asked): Promise<Planned | undefined> {
  const { projectId, timeZone, from, upTo } = asked
  const days = await countedDays(read, projectId, timeZone)
  const { rests } = countedParts([{}], days)
  // By days of UTC: cheap.
  const groups = await read(
    `select epoch_ms(min(created_dt)), epoch_ms(max(created_dt)), count(*) from calls
     where project_id = $1 and ${isOutside(rests)} and write_number <= ${upTo}
       ${Number.isFinite(from) ? `and created_dt >= make_timestamp_ms(${from})` : ''}
     group by created_dt::date order by 1`,
    [projectId],
  )
  const found = groups.map(([begin, end, calls]) => ({
    first: dayOf(Number(begin), timeZone),
    last: dayOf(Number(end), timeZone),
    calls: Number(calls),
  }))
  const open = days.filter(one => one.countedTo !== undefined)
  const known = new Set(days.map(({ day }) => day))
  const fresh = found.filter(({ first }) => !open.some(({ day }) => day === asUtc(first)))
  return (await moreOf(read, asked, open, found)) ?? (await newOnes(read, asked, known, fresh))
}

/** The next calls of a day to which calls still come. One that is over is counted whole, whether calls came behind or not. */
async function moreOf(
  read: ReadRows,
  asked: Asked,
  open: readonly CountedDay[],
  found: readonly Group[],
): Promise<Planned | undefined> {
  for (const { day, from, until, countedTo: after } of open) {
    if (from < asked.from || after === undefined) continue
    const date = dayOf(day, 'UTC')
    // oxlint-disable-next-line no-await-in-loop -- mostly there is one
    const piece = await callsOfDay(read, asked, { first: date, last: date, from, until, after })
    if (piece === undefined) continue
    return { ...piece, left: found.filter(({ first }) => piece.upTo !== undefined || asUtc(first) !== day).length }
  }
  return undefined
}

/** The next days of which nothing is counted, or the first calls of one. */
async function newOnes(
  read: ReadRows,
  asked: Asked,
  known: ReadonlySet<number>,
  found: readonly Group[],
): Promise<Planned | undefined> {
  const { timeZone, callsAtOnce } = asked
  for (const [at, { first }] of found.entries()) {
    const own = wholeDays(first, first, timeZone)
    if (own.from < asked.from) continue
    const row = rowFrom(found.slice(at), known, callsAtOnce)
    let days = wholeDays(first, row.last, timeZone)
    // oxlint-disable no-await-in-loop -- the oldest first
    // The last of them may have more calls, on the next day of UTC, and go on.
    while (isAfter(days.last, first) && (goesOn(days) || (await countOf(read, asked, days)).calls > callsAtOnce))
      days = wholeDays(first, days.last.subtract({ days: 1 }), timeZone)
    const chosen = isAfter(days.last, first) ? days : await callsOfDay(read, asked, days)
    // oxlint-enable no-await-in-loop
    if (chosen === undefined) continue
    const left = found.length - at - row.groups
    const empty = wholeDays(afterThose(known, first), first.subtract({ days: 1 }), timeZone)
    if (empty.from === own.from || empty.from < asked.from)
      return { ...chosen, left: chosen.upTo === undefined ? left : left + 1 }
    // What comes before is counted first, where of the day not all is.
    if (chosen.upTo !== undefined) return { ...empty, left: left + 1 }
    return { ...chosen, first: empty.first, from: empty.from, left }
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

/** How many calls of some days and writes there are, and among the first of them that are counted together the least and the last write. */
async function countOf(
  read: ReadRows,
  { projectId, callsAtOnce, upTo }: Asked,
  { from, until, after }: DaysToCount,
): Promise<{ readonly calls: number; readonly least: bigint; readonly last: bigint }> {
  const within = isOutside([{ from, until, ...(after !== undefined && { after }) }])
  const [row] = await read(
    `select count(*), coalesce(min(write_number), 0)::varchar, coalesce(max(write_number), 0)::varchar from (
       select write_number from calls where project_id = $1 and ${within} and write_number <= ${upTo}
       order by write_number limit ${callsAtOnce + 1})`,
    [projectId],
  )
  const [calls, least, last] = row!
  return { calls: Number(calls), least: BigInt(String(least)), last: BigInt(String(last)) }
}

/** Whether calls still come to days. */
const goesOn = ({ until }: DaysToCount) => until > Date.now() - LATE_MS

/** What of a day is counted next; undefined where nothing is new. */
async function callsOfDay(read: ReadRows, asked: Asked, day: DaysToCount): Promise<DaysToCount | undefined> {
  const { calls, least, last } = await countOf(read, asked, day)
  // All of the least write, however many these are.
  if (calls > asked.callsAtOnce) return { ...day, upTo: last > least ? last - 1n : last }
  if (!goesOn(day)) return day
  return calls === 0 ? undefined : { ...day, upTo: asked.upTo }
}

function wholeDays(first: Temporal.PlainDate, last: Temporal.PlainDate, timeZone: string): DaysToCount {
  return { first, last, from: startOf(first, timeZone), until: startOf(last.add({ days: 1 }), timeZone) }
}

const dayOf = (ms: number, timeZone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate()
const isAfter = (a: Temporal.PlainDate, b: Temporal.PlainDate) => Temporal.PlainDate.compare(a, b) > 0
/** A day as lists of days name it: its midnight, written as if it were UTC; milliseconds since 1970. */
export const asUtc = (day: Temporal.PlainDate): number => day.toZonedDateTime('UTC').epochMilliseconds
/** When a local day begins, milliseconds since 1970. */
export const startOf = (day: Temporal.PlainDate, timeZone: string): number =>
  day.toZonedDateTime(timeZone).epochMilliseconds
