import { Temporal } from 'temporal-polyfill'
import { ExpressionError } from '../expression-error.js'
import type { Value } from '../../value.js'

const OFFSET = /^[+-](?:\d{2}(?::?\d{2})?)$/

/** An offset as Temporal writes it: +05 and +0530 become +05:00 and +05:30. */
function normalOffset(text: string): string {
  const digits = text.replace(':', '').slice(1).padEnd(4, '0')
  return `${text[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

/** A time zone as pipelines name it: an Olson name or an offset such as +05:30. `undefined` for one that does not exist. */
export function readTimeZone(text: string): string | undefined {
  if (OFFSET.test(text)) return normalOffset(text)
  // Temporal would take other things too, such as whole date-times.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return undefined
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId
  } catch {
    return undefined
  }
}

/** A date in a zone (UTC when none is given). Throws for a value that is no zone. */
export function inZone(operator: string, date: Date, timezone: Value | undefined): Temporal.ZonedDateTime {
  const instant = Temporal.Instant.fromEpochMilliseconds(date.getTime())
  if (timezone === undefined) return instant.toZonedDateTimeISO('UTC')
  const zone = typeof timezone === 'string' ? readTimeZone(timezone) : undefined
  if (zone === undefined)
    throw new ExpressionError(operator, 'got a time zone that is neither an Olson name nor an offset')
  return instant.toZonedDateTimeISO(zone)
}
