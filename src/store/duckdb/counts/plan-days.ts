import { Temporal } from 'temporal-polyfill'
import { type CountedDay, countedParts } from '../../counted-parts.js'
import { countedDays, isOutside, type ReadRows } from './listed-days.js'

/** Calls that are counted together: some three seconds of a thread, and a hundred megabytes. */
export const CALLS_AT_ONCE = 50_000
/** Of a day that still goes on a piece is counted as soon as it has a fifth of these: what is not counted is read call by call. */
const GROWS_BY = 1 / 5
/** Most days without calls between two with some that are counted with them, as none. */
const MOST_EMPTY_DAYS = 31
/**
 * Of a day with many calls that still goes on, what began less long ago is not counted, milliseconds: calls come when they are over, and
 * one that comes to what is counted has the day counted from its beginning.
 */
const LATE_MS = 60 * 60 * 1000

/** What is counted together: local days in a row, or a piece of one that has too many calls for that. Times are milliseconds since 1970. */
export interface DaysToCount {
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
  /** When the first of the days begins, or a piece: of the time before it that day is counted. */
  readonly from: number
  /** When the last of the days ends, or a piece. */
  readonly until: number
}

/** The same, and how many days are left then. */
type Planned = DaysToCount & { readonly left: number }

interface Asked {
  readonly projectId: string
  readonly timeZone: string
  readonly callsAtOnce: number
  /** Nothing that begins before. */
  readonly from: number
}

/**
 * The next days to count, or the next piece of one: the oldest that hold calls and are not counted, as many as are counted together, and
 * how many days are left then. Only a plan: what is counted is right whatever days are chosen.
 * @param read reads rows, times as milliseconds since 1970
 */
export async function nextDays(read: ReadRows, asked: Asked): Promise<Planned | undefined> {
  const { projectId, timeZone } = asked
  const days = await countedDays(read, projectId, timeZone)
  const { rests } = countedParts([{}], days)
  // By days of UTC: cheap.
  const groups = await read(
    `select epoch_ms(min(created_dt)), epoch_ms(max(created_dt)), count(*) from calls
     where project_id = $1 and ${isOutside(rests)} ${Number.isFinite(asked.from) ? `and created_dt >= make_timestamp_ms(${asked.from})` : ''}
     group by created_dt::date order by 1`,
    [projectId],
  )
  const found = groups.map(([from, to, calls]) => ({
    first: dayOf(Number(from), timeZone),
    last: dayOf(Number(to), timeZone),
    calls: Number(calls),
  }))
  const begun = days.filter(one => one.isBegun)
  const known = new Set(days.map(({ day }) => day))
  return (
    (await moreOf(read, asked, begun, found)) ??
    (await newOnes(
      read,
      asked,
      known,
      found.filter(({ first }) => !begun.some(({ day }) => day === asUtc(first))),
    ))
  )
}

/** The next piece of a day of which the beginning is counted. */
async function moreOf(
  read: ReadRows,
  asked: Asked,
  begun: readonly CountedDay[],
  found: readonly Group[],
): Promise<Planned | undefined> {
  for (const { day, until } of begun) {
    if (until < asked.from) continue
    const first = dayOf(day, 'UTC')
    // oxlint-disable-next-line no-await-in-loop -- mostly there is one
    const piece = await pieceOf(read, asked, first, until)
    if (piece === undefined) continue
    const isLast = piece.until === wholeDays(first, first, asked.timeZone).until
    return { ...piece, left: found.filter(group => !isLast || asUtc(group.first) !== day).length }
  }
  return undefined
}

/** The next days of which nothing is counted, or the first piece of one. */
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
    const left = found.length - at - row.groups
    let days = wholeDays(first, row.last, timeZone)
    // oxlint-disable no-await-in-loop -- the oldest first
    // The last of them may have more calls, on the next day of UTC.
    while (isAfter(days.last, first) && (await callsOf(read, asked, days)) > callsAtOnce)
      days = wholeDays(first, days.last.subtract({ days: 1 }), timeZone)
    const most = goesOn(own) ? callsAtOnce * GROWS_BY : callsAtOnce
    const isMuch = !isAfter(days.last, first) && (await callsOf(read, asked, days)) > most
    const chosen = isMuch ? await pieceOf(read, asked, first, own.from) : days
    // oxlint-enable no-await-in-loop
    if (chosen === undefined) continue
    const empty = wholeDays(afterThose(known, first), first.subtract({ days: 1 }), timeZone)
    if (empty.from === own.from || empty.from < asked.from)
      return { ...chosen, left: chosen.until < own.until ? left + 1 : left }
    // What comes before a piece is counted first, so that this is of one day.
    if (chosen.until < own.until) return { ...empty, left: left + 1 }
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

async function callsOf(read: ReadRows, { projectId }: Asked, days: DaysToCount): Promise<number> {
  const [row] = await read(`select count(*) from calls where project_id = $1 and ${isOutside([days])}`, [projectId])
  return Number(row?.[0])
}

/** When calls began of which all have come; milliseconds since 1970. */
const allCome = () => Date.now() - LATE_MS
const goesOn = ({ until }: DaysToCount) => until > allCome()

/** The piece of a day that begins at an instant: to the end of the day, or as many calls as are counted together. Undefined where that has to wait. */
async function pieceOf(
  read: ReadRows,
  { projectId, timeZone, callsAtOnce }: Asked,
  day: Temporal.PlainDate,
  from: number,
): Promise<DaysToCount | undefined> {
  const whole = wholeDays(day, day, timeZone)
  const until = Math.min(allCome(), whole.until)
  if (until <= from) return undefined
  const [row] = await read(
    `select epoch_ms(min(created_dt)), epoch_ms(max(created_dt)), count(*) from (select created_dt from calls
       where project_id = $1 and ${isOutside([{ from, until }])} order by created_dt limit ${callsAtOnce + 1})`,
    [projectId],
  )
  const [first, last, count] = row!.map(Number)
  const isPart = count! > callsAtOnce || (goesOn(whole) && count! >= callsAtOnce * GROWS_BY)
  // All of those that began within one millisecond at least.
  if (isPart) return { first: day, last: day, from, until: Math.max(last!, first! + 1) }
  return goesOn(whole) ? undefined : { first: day, last: day, from, until: whole.until }
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
