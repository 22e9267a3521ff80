import { echo } from '../base/text.js'
import { Refusal } from './refusal.js'
import { Double, type Value, double, isArray, isDocument, isInt } from './value.js'

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** The instant an ISO 8601 text means, or `undefined`. Without an offset it means UTC; a date alone midnight UTC. */
export function readInstant(text: string): Date | undefined {
  if (!ISO_INSTANT.test(text)) return undefined
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) || text.length === 10
  const date = new Date(zoned ? text : `${text}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** A constant beside a date field: an ISO 8601 text is the instant it means, anything else stays what it is. */
export function besideDate(value: Value): Value {
  return typeof value === 'string' ? (readInstant(value) ?? value) : value
}

const SPECIAL_DOUBLES: Readonly<Record<string, number>> = { NaN, Infinity, '-Infinity': -Infinity }

function readLong(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined
  const long = BigInt(text)
  return BigInt.asIntN(64, long) === long ? long : undefined
}

function readDate(value: unknown): Date | undefined {
  if (value instanceof Date) return value
  if (typeof value === 'string') return readInstant(value)
  if (typeof value === 'number' && Number.isInteger(value)) return new Date(value)
  if (typeof value === 'object' && value !== null && '$numberLong' in value) {
    const long = readLong(String(value.$numberLong))
    return long === undefined ? undefined : new Date(Number(long))
  }
  return undefined
}

const READERS: Readonly<Record<string, (value: unknown) => Value | undefined>> = {
  $date: value => {
    const date = readDate(value)
    return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
  },
  $numberInt: value => (isInt(Number(value)) ? Number(value) : undefined),
  $numberLong: value => readLong(String(value)),
  $numberDouble: value => {
    const text = String(value)
    const number = SPECIAL_DOUBLES[text] ?? (text.trim() === '' ? NaN : Number(text))
    return Number.isNaN(number) && text !== 'NaN' ? undefined : double(number)
  },
  // Decimals are read as doubles: the records hold none.
  $numberDecimal: value => (Number.isFinite(Number(value)) ? double(Number(value)) : undefined),
  $oid: value => (typeof value === 'string' && /^[0-9a-fA-F]{24}$/.test(value) ? value : undefined),
}

/**
 * The value of an extended-JSON object such as `{"$date": "2026-03-01"}`, or `undefined` when the object is not one.
 * @throws Refusal when it is one but holds nothing readable.
 */
export function readExtended(json: object, where: string): Value | undefined {
  const keys = Object.keys(json)
  const key = keys[0]
  if (keys.length !== 1 || key === undefined || !Object.hasOwn(READERS, key)) return undefined
  const value = READERS[key]!((json as Record<string, unknown>)[key])
  if (value === undefined) throw new Refusal(where, `${key} can't read ${echo((json as Record<string, unknown>)[key])}`)
  return value
}

/**
 * A literal of a pipeline: JSON with extended JSON read, JavaScript dates kept.
 * @throws Refusal for what no pipeline can hold (functions, unreadable extended JSON).
 */
export function readLiteral(json: unknown, where: string): Value {
  if (json === null || typeof json === 'boolean' || typeof json === 'string' || typeof json === 'bigint') return json
  if (typeof json === 'number') return json
  if (json instanceof Date || json instanceof Double) return json
  if (Array.isArray(json)) return json.map((item, i) => readLiteral(item, `${where}[${i}]`))
  if (typeof json === 'object') {
    const extended = readExtended(json, where)
    if (extended !== undefined) return extended
    return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, readLiteral(item, `${where}.${key}`)]))
  }
  throw new Refusal(where, `a ${typeof json} is not a value a pipeline can hold`)
}

/** A value as relaxed extended JSON: what `explain` prints and answers carry. */
export function toExtended(value: Value): unknown {
  if (value instanceof Date) return { $date: value.toISOString() }
  if (value instanceof Double) return value.value
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : { $numberLong: `${value}` }
  if (typeof value === 'number' && !Number.isFinite(value)) return { $numberDouble: String(value) }
  if (isArray(value)) return value.map(toExtended)
  if (isDocument(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, toExtended(v)]))
  return value
}

/** A document as plain JavaScript: doubles unwrapped, dates kept as Date. */
export function toPlain(value: Value): Value {
  if (value instanceof Double) return value.value
  if (isArray(value)) return value.map(toPlain)
  if (isDocument(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, toPlain(v)]))
  return value
}
