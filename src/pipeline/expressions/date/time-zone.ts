import { Temporal } from 'temporal-polyfill'
import type { Value } from '../../value.js'
import { ExpressionError } from '../expression-error.js'
import { dateThere } from './date-there.js'
import { DAY_MS } from './units.js'

const OFFSET = /^[+-](?:\d{2}(?::?\d{2})?)$/

/** An offset as Temporal writes it: +05 and +0530 become +05:00 and +05:30. */
function normalOffset(text: string): string | undefined {
  const digits = text.replace(':', '').slice(1).padEnd(4, '0')
  const [hours, minutes] = [digits.slice(0, 2), digits.slice(2)]
  return Number(hours) < 24 && Number(minutes) < 60 ? `${text[0]}${hours}:${minutes}` : undefined
}

const known = new Map<string, string | undefined>()

function read(text: string): string | undefined {
  if (OFFSET.test(text)) return normalOffset(text)
  if (text === 'Z' || text === 'GMT') return 'UTC'
  // Temporal would take other things too, such as whole date-times.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text)) return undefined
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId
  } catch {
    return undefined
  }
}

/** A time zone as pipelines name it: an Olson name or an offset such as +05:30. `undefined` for one that does not exist. */
export function readTimeZone(text: string): string | undefined {
  if (!known.has(text)) {
    if (known.size > 1000) known.clear()
    known.set(text, read(text))
  }
  return known.get(text)
}

export const NO_ZONE =
  'got a time zone that is neither an Olson name nor an offset, such as "Europe/Berlin" or "+02:00"'

/** The zone an operator's timezone argument names; UTC when there is none. Throws for a value that is no zone. */
export function zoneOf(operator: string, timezone: Value | undefined): string {
  if (timezone === undefined) return 'UTC'
  const zone = typeof timezone === 'string' ? readTimeZone(timezone) : undefined
  if (zone === undefined) throw new ExpressionError(operator, NO_ZONE)
  return zone
}

/** From here on changes of the clock fall on quarters of an hour everywhere, and offsets may be remembered for them. */
const QUARTERS_SINCE = Date.UTC(1973, 0, 1)
const QUARTER_MS = 15 * 60_000

const offsets = new Map<string, Map<number, number>>()

function computeOffset(ms: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
}

/** What local time is ahead of UTC at an instant, in milliseconds. */
export function offsetAt(ms: number, zone: string): number {
  if (zone === 'UTC') return 0
  if (ms < QUARTERS_SINCE) return computeOffset(ms, zone)
  let ofZone = offsets.get(zone)
  if (ofZone === undefined || ofZone.size > 100_000) {
    ofZone = new Map()
    offsets.set(zone, ofZone)
  }
  const quarter = Math.floor(ms / QUARTER_MS)
  const remembered = ofZone.get(quarter)
  if (remembered !== undefined) return remembered
  const offset = computeOffset(ms, zone)
  ofZone.set(quarter, offset)
  return offset
}

/**
 * Local time as a Date whose UTC parts are the local ones: JavaScript's own calendar then does the arithmetic.
 */
export function toLocal(date: Date, zone: string): Date {
  return zone === 'UTC' ? date : dateThere('The time zone', new Date(date.getTime() + offsetAt(date.getTime(), zone)))
}

/**
 * The instant of a local time. Where clocks are set forward a time that does not exist is moved by the gap; where they
 * are set back the first of two is meant. A local time that is no valid date stays none.
 */
export function fromLocal(local: Date, zone: string): Date {
  const ms = local.getTime()
  if (zone === 'UTC' || Number.isNaN(ms)) return local
  if (ms - DAY_MS >= QUARTERS_SINCE) {
    const before = offsetAt(ms - DAY_MS, zone)
    if (before === offsetAt(ms + DAY_MS, zone)) return new Date(ms - before)
  }
  const plain = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDateTime()
  return new Date(plain.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds)
}

/** A stretch of time through which local time is equally far ahead of UTC. */
export interface Stretch {
  /** Its beginning, milliseconds since 1970. */
  readonly from: number
  /** Milliseconds. */
  readonly offset: number
}

/** The stretches of a named zone between two instants, in order; the first begins with `from`. */
export function stretchesOf(zone: string, from: number, until: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone)
  while (at !== null && at.epochMilliseconds < until) {
    stretches.push({ from: at.epochMilliseconds, offset: at.offsetNanoseconds / 1e6 })
    at = at.getTimeZoneTransition('next')
  }
  return stretches
}
