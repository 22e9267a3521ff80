import { Temporal } from 'temporal-polyfill'
import { periodOf } from './period.js'
import { Problem } from './problem.js'
import { echo } from './text.js'
import { DAY, dayIn, todayIn } from './day-in.js'

/** A bound of a range as a caller may write it, read in a time zone. */
export interface Bound {
  /** First instant it covers, milliseconds since 1970. */
  readonly from: number
  /** First instant after it: of a date the start of the next day, of a date-time the next millisecond. */
  readonly until: number
}

/** A year of six digits: so far off, the same length of time just before it may be no date any more. */
const SIGNED_YEAR = /^[+\u2212-]/u

function startOfDay(date: Temporal.PlainDate, timeZone: string): number {
  // A day whose midnight does not exist starts at its first instant that does.
  return date.toZonedDateTime(timeZone).epochMilliseconds
}

/** The calendar that a caller's dates are read in, and the instant of the request, milliseconds since 1970. */
export interface Calendar {
  readonly timeZone: string
  readonly now: number
}

const LOCAL = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/

/** What a text that is no date and no instant says all the same, written as one. */
function meantBy(text: string, { timeZone, now }: Calendar): string | undefined {
  const period = periodOf(text, now, timeZone)
  if (period !== undefined) {
    const [first, last] = [dayIn(period.from, timeZone), dayIn(period.until - 1, timeZone)]
    return first === last ? first : `${first} to ${last}`
  }
  if (!LOCAL.test(text)) return undefined
  try {
    const local = Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone)
    return local.toString({ timeZoneName: 'never', smallestUnit: 'second' })
  } catch {
    return undefined
  }
}

/**
 * Reads a date (a whole day in the zone) or a date-time with an offset, of the years 0000 to 9999.
 * @throws Problem `invalid_input` that names the argument and the accepted forms.
 */
export function readBound(text: string, name: string, calendar: Calendar): Bound {
  const { timeZone, now } = calendar
  try {
    if (DAY.test(text)) {
      const date = Temporal.PlainDate.from(text)
      return { from: startOfDay(date, timeZone), until: startOfDay(date.add({ days: 1 }), timeZone) }
    }
    if (SIGNED_YEAR.test(text)) throw new RangeError('The year has more than four digits')
    const instant = Temporal.Instant.from(text).epochMilliseconds
    return { from: instant, until: instant + 1 }
  } catch {
    const meant = meantBy(text, calendar)
    const said = `${meant === undefined ? '' : `that is ${meant}, and `}today is ${todayIn(now, timeZone)}`
    throw new Problem(
      'invalid_input',
      `Argument "${name}" is neither a date (2026-03-01) nor a date-time with an offset (2026-03-01T12:00:00Z): ${echo(text)}; ${said}`,
      { details: [{ path: name, message: 'Is neither a date nor a date-time with an offset' }] },
    )
  }
}

/** A half-open range of instants; `undefined` = open on that side. */
export interface DateRange {
  readonly from: number | undefined
  readonly until: number | undefined
}

/**
 * The range between two bounds, both included as the caller wrote them.
 * @param names the caller's names of the two arguments, for errors
 * @throws Problem `invalid_input` when a bound can't be read or the lower one is above the upper one.
 */
export function readRange(
  lower: string | undefined,
  upper: string | undefined,
  names: readonly [string, string],
  calendar: Calendar,
): DateRange {
  const from = lower === undefined ? undefined : readBound(lower, names[0], calendar).from
  const until = upper === undefined ? undefined : readBound(upper, names[1], calendar).until
  if (from !== undefined && until !== undefined && from >= until) {
    throw new Problem('invalid_input', `"${names[0]}" ${echo(lower)} is after "${names[1]}" ${echo(upper)}`, {
      details: [{ path: names[0], message: `Is after ${names[1]}` }],
    })
  }
  return { from, until }
}

/** Milliseconds since 1970 as ISO 8601 in UTC with milliseconds. */
export function isoInstant(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString()
}
