import { RE2JS } from 're2js'
import { isoDay, startOfMonth } from './calendar.js'
import { monthNames, readFormat } from './date-format.js'
import { localDate } from './read-date-text.js'
import { fromLocal, readTimeZone } from './time-zone.js'
import { DAY_MS } from './units.js'

/** Specifiers of $dateFromString. */
export const READ_SPECIFIERS = 'bBdGHjLmMSuVYzZ'

const PATTERNS: Readonly<Record<string, string>> = {
  Y: '(\\d{4})',
  G: '(\\d{4})',
  m: '(\\d{1,2})',
  d: '(\\d{1,2})',
  H: '(\\d{1,2})',
  M: '(\\d{1,2})',
  S: '(\\d{1,2})',
  L: '(\\d{1,3})',
  j: '(\\d{1,3})',
  u: '([1-7])',
  V: '(\\d{1,2})',
  b: '([A-Za-z]{3})',
  B: '([A-Za-z]+)',
  z: '([+-]\\d{2}:?\\d{2}|Z)',
  Z: '([+-]?\\d{1,4})',
}

/** The month a name means, from 1. */
function monthOf(name: string): number {
  const wanted = name.toLowerCase()
  return monthNames.findIndex(month => [month.toLowerCase(), month.slice(0, 3).toLowerCase()].includes(wanted)) + 1
}

/** A day of the ISO calendar and one of the other, or a day of the year before its year: MongoDB reads neither. */
function mixesCalendars(letters: readonly string[]): boolean {
  const has = (...some: readonly string[]) => some.some(letter => letters.includes(letter))
  if (has('Y') && has('G', 'V', 'u')) return true
  if (has('G') && has('m', 'b', 'B', 'd')) return true
  return has('j') && letters.indexOf('j') < letters.indexOf('Y')
}

/** The local day: by month and day, by the day of the year or by the ISO week. */
function dayOf(found: ReadonlyMap<string, string>): Date | undefined {
  const number = (letter: string, fallback: number) => (found.has(letter) ? Number(found.get(letter)) : fallback)
  if (found.has('G')) {
    const year = number('G', 1970)
    const [week, day] = [number('V', 1), number('u', 1)]
    if (week < 1 || week > 53) return undefined
    const fourth = new Date(startOfMonth(year * 12) + 3 * DAY_MS)
    return new Date(fourth.getTime() + ((week - 1) * 7 + day - isoDay(fourth)) * DAY_MS)
  }
  if (!found.has('Y')) return undefined
  const year = number('Y', 1970)
  if (found.has('j')) return new Date(startOfMonth(year * 12) + (number('j', 1) - 1) * DAY_MS)
  const name = found.get('b') ?? found.get('B')
  return localDate([year, name === undefined ? number('m', 1) : monthOf(name), number('d', 1)])
}

/** The zone a text names by its offset: +hhmm or minutes. */
function zoneIn(found: ReadonlyMap<string, string>): string | undefined {
  const minutes = found.get('Z')
  if (minutes === undefined) return found.get('z')
  const size = Math.abs(Number(minutes))
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${minutes.startsWith('-') ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}

/** The specifiers of a format in their order; `undefined` where it is none. */
export const formatLetters = (format: string): readonly string[] | undefined =>
  readFormat(format, READ_SPECIFIERS)?.flatMap(part => ('specifier' in part ? [part.specifier] : []))

/** The pattern of the texts that follow a format, with a group for each specifier. */
export const formatPattern = (format: string): string =>
  (readFormat(format, READ_SPECIFIERS) ?? [])
    .map(part => ('text' in part ? RE2JS.quote(part.text) : PATTERNS[part.specifier]!))
    .join('')

/** The instant a text means by a format; `undefined` where it does not follow it, `'format'` where the format is none. */
export function readFormattedDate(text: string, format: string, zone: string | undefined): Date | undefined | 'format' {
  const letters = formatLetters(format)
  if (letters === undefined) return 'format'
  // Numbers side by side, such as %d%d%d…, would take an engine that goes back and tries again for ever.
  const matcher = RE2JS.compile(formatPattern(format)).matcher(text)
  if (!matcher.matches()) return undefined
  const found = new Map(letters.map((letter, i) => [letter, matcher.group(i + 1)!]))
  if (mixesCalendars(letters)) return undefined
  const day = dayOf(found)
  const [hour, minute, second] = ['H', 'M', 'S'].map(letter => Number(found.get(letter) ?? 0))
  const clock = localDate([1970, 1, 1, hour!, minute!, second!, Number((found.get('L') ?? '').padEnd(3, '0'))])
  const named = zoneIn(found)
  if (day === undefined || clock === undefined || (named !== undefined && zone !== undefined)) return undefined
  const own = named === undefined ? (zone ?? 'UTC') : readTimeZone(named)
  return own === undefined ? undefined : fromLocal(new Date(day.getTime() + clock.getTime()), own)
}
