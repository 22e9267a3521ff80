import { ISO, localDate, readDateText } from './read-date-text.js'
import { fromLocal, readTimeZone } from './time-zone.js'

const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?'

/** Days as they are written beside ISO 8601, and which groups are the year, the month and the day. */
const DAYS: readonly (readonly [pattern: string, year: number, month: number, day: number])[] = [
  ['(\\d{4})-(\\d{1,2})-(\\d{1,2})', 0, 1, 2],
  ['(\\d{4})/(\\d{1,2})/(\\d{1,2})', 0, 1, 2],
  ['(\\d{4})(\\d{2})(\\d{2})', 0, 1, 2],
  ['(\\d{1,2})/(\\d{1,2})/(\\d{4})', 2, 0, 1],
  ['(\\d{1,2})[.-](\\d{1,2})[.-](\\d{4})', 2, 1, 0],
  [`${MONTH}[ .-]*${DAY}[ ,.-]+(\\d{4})`, 2, 0, 1],
  [`${DAY}[ .-]*${MONTH}[ ,.-]*(\\d{4})`, 2, 1, 0],
]

const TIME = '(?:[T ,]+(\\d{1,2}):(\\d{2})(?:[:.](\\d{2})(?:\\.(\\d{1,9}))?)?(?: ?([ap])\\.?m\\.?)?)?'
const ZONE = ' ?(?:(Z)|(?:UTC|GMT)?([+-]\\d{1,2}(?::?\\d{2})?)|(UTC|GMT))?'

/** What may be a date: of every other text that is not ISO 8601 it is known that it is none. In RE2's syntax. */
export const ANY_DATE = `(?i)^(?:${DAYS.map(([pattern]) => pattern).join('|')})${TIME}${ZONE}$`

const PATTERNS = DAYS.map(([pattern, ...places]) => ({
  places,
  pattern: new RegExp(`^${pattern}${TIME}${ZONE}$`, 'i'),
}))

const monthOf = (text: string) => MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1 || Number(text)

/** The hour of a clock of twelve; `undefined` where it has no such hour. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
}

/** An offset such as +2 or +0530 as the time zones have it. */
function offsetOf(text: string): string {
  const [sign, digits] = [text[0]!, text.slice(1).replace(':', '')]
  const hours = digits.length > 2 ? digits.slice(0, -2) : digits
  return `${sign}${hours.padStart(2, '0')}:${digits.length > 2 ? digits.slice(-2) : '00'}`
}

/**
 * The instant a text means as MongoDB reads it without a format: ISO 8601 and what else is written often, such as "July 4,
 * 2017", "02/08/2017" (the month first), "4.7.2017" (the day first), "20170704", each with or without a time and an offset.
 * Without an offset it is local time of the zone. `undefined` for anything else, and for an offset beside a zone.
 */
export function readAnyDate(text: string, zone: string | undefined): Date | undefined {
  if (ISO.test(text)) return readDateText(text, zone)
  for (const { places, pattern } of PATTERNS) {
    const match = pattern.exec(text)
    if (match === null) continue
    const [first, second, third, hour, minute, seconds, fraction, half, z, offset, name] = match.slice(1)
    const day = [first, second, third]
    const [year, month, date] = places.map(place => day[place]!)
    const clock = hourOf(Number(hour ?? 0), half)
    const millisecond = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'))
    const local =
      clock === undefined
        ? undefined
        : localDate([
            Number(year),
            monthOf(month!),
            Number(date),
            clock,
            Number(minute ?? 0),
            Number(seconds ?? 0),
            millisecond,
          ])
    const named = offset === undefined ? (z ?? name) : offsetOf(offset)
    if (local === undefined || (named !== undefined && zone !== undefined)) return undefined
    const own = named === undefined ? (zone ?? 'UTC') : readTimeZone(offset === undefined ? 'UTC' : named)
    return own === undefined ? undefined : fromLocal(local, own)
  }
  return undefined
}
