import { type InstantReading, toInstant } from './to-instant.js'

/** A day and time with any of the separators file names have; an offset or Z after it. */
const TIME =
  /(?<!\d)(\d{4})[-_.]?([01]\d)[-_.]?([0-3]\d)(?:[T_ .-]{1,3}|at)?([0-2]\d)[-_.:h]?([0-5]\d)(?:[-_.:m]?([0-5]\d)s?)?(?:[.,]\d{1,6})?(?:_?(Z|UTC)|([+-]\d\d):?(\d\d))?(?!\d)/gi

/** The one time in a file's name, such as 2026-03-01T12-30-00Z; without an offset it is in `timeZone`. */
export function fileTime(stem: string, timeZone: string | undefined): InstantReading {
  const [found, second] = stem.matchAll(TIME)
  if (found === undefined) return { message: "holds no day and time in the file's name, such as 2026-03-01T12-30-00Z" }
  if (second !== undefined) return { message: "holds more than one day and time in the file's name" }
  const [, year, month, day, hour, minute, seconds = '00', utc, hours, minutes] = found
  const offset = utc === undefined ? (hours === undefined ? '' : `${hours}:${minutes}`) : 'Z'
  return toInstant(`${year}-${month}-${day}T${hour}:${minute}:${seconds}${offset}`, timeZone)
}
