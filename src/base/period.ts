import { Temporal } from 'temporal-polyfill'
import { Problem } from './problem.js'
import { echo } from './text.js'
import { DAY, todayIn } from './day-in.js'

/** A half-open range of instants, milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** A period as a caller names it, and the one it is compared with when none is given. */
export interface Period extends Span {
  readonly before: Span
}

/** The forms a period may have, as errors and descriptions list them. */
export const PERIOD_FORMS =
  'today, yesterday, this or last week, month, quarter or year ("last week"), "last N days", "last N weeks", "last N months", a day (2026-03-01), a month (2026-03), an ISO week (2026-W10), or two dates ("2026-03-01 to 2026-03-15")'

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Longest period in units: what "last N days" may ask for. */
const MOST_UNITS = 5_000

function startOf(date: Temporal.PlainDate, unit: Unit): Temporal.PlainDate {
  switch (unit) {
    case 'day':
      return date
    case 'week':
      return date.subtract({ days: date.dayOfWeek - 1 })
    case 'month':
      return date.with({ day: 1 })
    case 'quarter':
      return date.with({ month: Math.floor((date.month - 1) / 3) * 3 + 1, day: 1 })
    case 'year':
      return date.with({ month: 1, day: 1 })
  }
}

function units(unit: Unit, count: number): Temporal.DurationLike {
  switch (unit) {
    case 'day':
      return { days: count }
    case 'week':
      return { weeks: count }
    case 'month':
      return { months: count }
    case 'quarter':
      return { months: 3 * count }
    case 'year':
      return { years: count }
  }
}

/** The local calendar of a project at an instant. */
interface Local {
  readonly now: Temporal.ZonedDateTime
  readonly today: Temporal.PlainDate
  readonly zone: string
}

function span(from: Temporal.PlainDate, until: Temporal.PlainDate, { zone }: Local): Span {
  // A local midnight that does not exist moves forward, as everywhere.
  return { from: from.toZonedDateTime(zone).epochMilliseconds, until: until.toZonedDateTime(zone).epochMilliseconds }
}

/** Whole calendar units, compared with as many before them. */
function whole(start: Temporal.PlainDate, unit: Unit, count: number, local: Local): Period {
  const length = units(unit, count)
  return {
    ...span(start, start.add(length), local),
    before: span(start.subtract(length), start, local),
  }
}

/** A unit that has begun and ends now, compared with the same elapsed part of the one before. */
function begun(unit: Unit, local: Local): Period {
  const start = startOf(local.today, unit)
  const { from } = span(start, start, local)
  const until = local.now.epochMilliseconds
  const before = span(start.subtract(units(unit, 1)), start, local)
  // The last days of a long month have no counterpart in a short one: its elapsed part is then all of it.
  const elapsed = local.now.subtract(units(unit, 1)).epochMilliseconds
  return { from, until, before: { from: before.from, until: Math.min(elapsed, before.until) } }
}

const UNIT = /^(this|last) (week|month|quarter|year)$/
const LAST_N = /^last (\d{1,4}) (day|week|month)s?$/
const MONTH = /^\d{4}-\d{2}$/
const WEEK = /^(\d{4})-W(\d{2})$/i
const DATES = /^(\d{4}-\d{2}-\d{2})\s+to\s+(\d{4}-\d{2}-\d{2})$/

function isoWeek(year: number, week: number): Temporal.PlainDate | undefined {
  // January 4th is always in week 1 (ISO 8601).
  const first = startOf(Temporal.PlainDate.from({ year, month: 1, day: 4 }), 'week')
  const start = first.add({ weeks: week - 1 })
  // 53 weeks are not in every year.
  return week >= 1 && start.add({ days: 3 }).year === year ? start : undefined
}

function dates(first: string, last: string, local: Local): Period | undefined {
  const from = Temporal.PlainDate.from(first)
  const until = Temporal.PlainDate.from(last).add({ days: 1 })
  const days = from.until(until).days
  return days < 1 ? undefined : { ...span(from, until, local), before: span(from.subtract({ days }), from, local) }
}

function read(text: string, local: Local): Period | undefined {
  if (text === 'today') return begun('day', local)
  if (text === 'yesterday') return whole(local.today.subtract({ days: 1 }), 'day', 1, local)
  const unit = UNIT.exec(text)
  if (unit !== null) {
    const of = unit[2] as Unit
    return unit[1] === 'this' ? begun(of, local) : whole(startOf(local.today, of).subtract(units(of, 1)), of, 1, local)
  }
  const lastN = LAST_N.exec(text)
  if (lastN !== null) {
    const count = Number(lastN[1])
    const of = lastN[2] as Unit
    // N whole local units before today.
    return count < 1 || count > MOST_UNITS ? undefined : whole(local.today.subtract(units(of, count)), of, count, local)
  }
  if (DAY.test(text)) return whole(Temporal.PlainDate.from(text), 'day', 1, local)
  if (MONTH.test(text)) return whole(Temporal.PlainDate.from(`${text}-01`), 'month', 1, local)
  const week = WEEK.exec(text)
  if (week !== null) {
    const start = isoWeek(Number(week[1]), Number(week[2]))
    return start && whole(start, 'week', 1, local)
  }
  const two = DATES.exec(text)
  return two === null ? undefined : dates(two[1]!, two[2]!, local)
}

const words = (text: string) => {
  const normal = text.trim().replace(/\s+/gu, ' ')
  return /^\d/.test(normal) ? normal : normal.toLowerCase()
}

/** The period of a text in the calendar of a time zone, weeks starting on Monday; undefined where it names none. */
export function periodOf(text: string, now: number, timeZone: string): Period | undefined {
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  try {
    const period = read(words(text), { now: local, today: local.toPlainDate(), zone: timeZone })
    return period !== undefined && period.from >= 0 ? period : undefined
  } catch {
    // Temporal refuses dates that do not exist, such as 2026-02-30.
    return undefined
  }
}

/**
 * Reads a period in the calendar of a time zone; weeks start on Monday.
 * @param now the instant of the request, milliseconds since 1970
 * @throws Problem `invalid_input` that lists the forms it knows
 */
export function readPeriod(text: string, name: string, now: number, timeZone: string): Period {
  const period = periodOf(text, now, timeZone)
  if (period !== undefined) return period
  const [, first, last] = DATES.exec(words(text)) ?? []
  if (first !== undefined && last !== undefined && first > last) {
    throw new Problem('invalid_input', `Argument "${name}": ${echo(first)} is after ${echo(last)}`, {
      details: [{ path: name, message: 'Begins after it ends' }],
    })
  }
  throw new Problem(
    'invalid_input',
    `Argument "${name}" ${echo(text)} is not a period. It is one of: ${PERIOD_FORMS}. Today is ${todayIn(now, timeZone)}`,
    {
      details: [{ path: name, message: `Is not a period; it is one of: ${PERIOD_FORMS}` }],
    },
  )
}
