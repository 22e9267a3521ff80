import { Temporal } from 'temporal-polyfill'

/** An instant as ISO 8601 in UTC, or why a value is none: the end of a sentence that begins with its place. */
export type InstantReading = { readonly instant: string } | { readonly message: string }

const DATE = /^\d{4}-\d\d-\d\d$/
const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)$/
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?) ?(Z|[+-]\d\d(?::?\d\d)?)$/i
const NUMBER = /^\d{9,17}(?:\.\d+)?$/
/** Smaller ones count from the start of a call, or of what was recorded: as seconds they would be before March 1973. */
const UNIX_FROM = 1e8
/** Unix times from here on are milliseconds, from the second on microseconds: as seconds they would be after the year 5138. */
const MILLISECONDS_FROM = 1e11
const MICROSECONDS_FROM = 1e14
export const NO_TIME_ZONE = 'says no time zone: say which with --time-zone, such as --time-zone Europe/Berlin or UTC'
const LATEST = Date.parse('2200-01-01T00:00:00Z')

/**
 * Reads a time as exports write it: ISO 8601 with an offset; without one in `timeZone`; a date (midnight, in `timeZone`
 * or UTC); Unix seconds, milliseconds or microseconds. Forms that depend on the country, such as 03/04/2026, are refused.
 */
export function toInstant(value: unknown, timeZone: string | undefined): InstantReading {
  const text = (typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '').trim()
  try {
    if (NUMBER.test(text)) {
      const read = unixMs(Number(text))
      return 'ms' in read ? { instant: new Date(read.ms).toISOString() } : read
    }
    const offset = WITH_OFFSET.exec(text)
    if (offset !== null) return { instant: parsed(`${offset[1]}T${offset[2]}${wholeOffset(offset[3] ?? 'Z')}`) }
    const isDate = DATE.test(text)
    if (isDate && timeZone === undefined) return { instant: parsed(`${text}T00:00:00Z`) }
    const local = LOCAL.exec(text)
    if (local === null && !isDate) {
      return { message: 'is not a time as ISO 8601 writes it, such as 2026-03-01T12:00:00Z' }
    }
    if (timeZone === undefined) {
      return { message: NO_TIME_ZONE }
    }
    const plain = Temporal.PlainDateTime.from(isDate ? text : `${local?.[1]}T${local?.[2]?.replace(',', '.')}`)
    // A time that a clock going forward leaves out moves forward, as everywhere in the service.
    const milliseconds = plain.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds
    return { instant: new Date(milliseconds).toISOString() }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { message: 'is no day or time there is' }
  }
}

/** Whether a text is a day, or a day and time, that is an instant only in some time zone. */
export function saysNoZone(text: string): boolean {
  return DATE.test(text) || LOCAL.test(text)
}

function parsed(text: string): string {
  return Temporal.Instant.from(text.replace(',', '.')).toString({ smallestUnit: 'millisecond' })
}

function wholeOffset(offset: string): string {
  if (offset.toUpperCase() === 'Z') return 'Z'
  const digits = offset.replaceAll(/[^\d]/g, '').padEnd(4, '0')
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

/** Milliseconds since 1970 of a Unix time in seconds, milliseconds or microseconds, told apart by their size, or why it is none. */
export function unixMs(time: number): { readonly ms: number } | { readonly message: string } {
  const size = Math.abs(time)
  if (size < UNIX_FROM) return { message: 'is no Unix time: it counts from something later than 1970' }
  let ms = time * 1000
  if (size >= MICROSECONDS_FROM) ms = time / 1000
  else if (size >= MILLISECONDS_FROM) ms = time
  return Math.abs(ms) < LATEST ? { ms } : { message: 'is a Unix time after the year 2199, or before 1740' }
}
