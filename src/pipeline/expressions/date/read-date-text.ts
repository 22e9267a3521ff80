import { fromLocal, readTimeZone } from './time-zone.js'

/** What may be a date of ISO 8601. */
export const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)? ?(Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/i

/** Year, month, day, hour, minute, second and millisecond as a local time; `undefined` where they are no date. */
export function localDate(parts: readonly number[]): Date | undefined {
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0] = parts
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!real || hour > 23 || minute > 59 || second > 59) return undefined
  date.setUTCHours(hour, minute, second, millisecond)
  return date
}

/**
 * The instant an ISO 8601 text means: a date alone or with a time, `T` or a blank between, with or without an offset.
 * Without one it is local time of the zone. `undefined` for anything else, and for an offset beside a zone.
 */
export function readDateText(text: string, zone: string | undefined): Date | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, fraction, offset] = match
  const millisecond = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  const local = localDate([year, month, day, hour ?? 0, minute ?? 0, second ?? 0, millisecond].map(Number))
  if (local === undefined || (offset !== undefined && zone !== undefined)) return undefined
  const own = offset === undefined ? (zone ?? 'UTC') : readTimeZone(offset.toUpperCase())
  return own === undefined ? undefined : fromLocal(local, own)
}
