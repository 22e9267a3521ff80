import { mapFields } from '../base/fields.js'
import { echo } from '../base/text.js'
import { readDateText } from './expressions/date/read-date-text.js'
import { Refusal } from './refusal.js'
import { Double, type Value, double, isArray, isDocument, isInt } from './value.js'

/** The instant an ISO 8601 text means, or `undefined`. Without an offset it means UTC; a date alone midnight UTC. */
export function readInstant(text: string): Date | undefined {
  return readDateText(text, undefined)
}

/** A constant beside a date field: an ISO 8601 text is the instant it means, anything else stays what it is. */
export function besideDate(value: Value): Value {
  return typeof value === 'string' ? (readInstant(value) ?? value) : value
}

const SPECIAL_DOUBLES: ReadonlyMap<unknown, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
])

/** A number, or the text of one; `undefined` for all else. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN
  return Number.isNaN(number) ? SPECIAL_DOUBLES.get(value) : number
}

function readDouble(value: unknown): number | Double | undefined {
  const number = numberOf(value)
  return number === undefined ? undefined : double(number)
}

function readLong(value: unknown): bigint | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  const text = isNumber ? String(value) : value
  if (typeof text !== 'string' || !/^-?\d{1,19}$/.test(text)) return undefined
  const long = BigInt(text)
  return BigInt.asIntN(64, long) === long ? long : undefined
}

function readDate(value: unknown): Date | undefined {
  if (value instanceof Date) return value
  if (typeof value === 'string') return readInstant(value)
  if (typeof value === 'number' && Number.isInteger(value)) return new Date(value)
  if (typeof value === 'object' && value !== null && '$numberLong' in value) {
    const long = readLong(value.$numberLong)
    return long === undefined ? undefined : new Date(Number(long))
  }
  return undefined
}

const READERS: Readonly<Record<string, (value: unknown) => Value | undefined>> = {
  $date: value => {
    const date = readDate(value)
    return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
  },
  $numberInt: value => {
    const number = numberOf(value)
    return isInt(number) ? number : undefined
  },
  $numberLong: readLong,
  $numberDouble: readDouble,
  // Decimals are read as doubles: the records hold none.
  $numberDecimal: readDouble,
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
    return mapFields(json as Record<string, unknown>, (item, key) => readLiteral(item, `${where}.${key}`))
  }
  throw new Refusal(where, `a ${typeof json} is not a value a pipeline can hold`)
}

/** Dates that are written with four digits of a year, which is what is read. */
const isWritten = (date: Date) => date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999

/** A constant of a pipeline as extended JSON that reads back as the same value, its type included. */
export function toLiteral(value: Value): unknown {
  if (value instanceof Double) return { $numberDouble: String(value.value) }
  if (typeof value === 'bigint') return { $numberLong: `${value}` }
  if (Object.is(value, -0)) return { $numberDouble: '-0' }
  if (value instanceof Date && !isWritten(value)) return { $date: { $numberLong: `${value.getTime()}` } }
  if (isArray(value)) return value.map(toLiteral)
  if (isDocument(value)) return mapFields(value, toLiteral)
  return toExtended(value)
}

/** A value as relaxed extended JSON: what answers carry. */
export function toExtended(value: Value): unknown {
  if (value instanceof Date) return { $date: value.toISOString() }
  if (value instanceof Double) return value.value
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : { $numberLong: `${value}` }
  if (typeof value === 'number' && !Number.isFinite(value)) return { $numberDouble: String(value) }
  if (isArray(value)) return value.map(toExtended)
  if (isDocument(value)) return mapFields(value, toExtended)
  return value
}

/** A document as plain JavaScript: doubles unwrapped, dates kept as Date. */
export function toPlain(value: Value): Value {
  if (value instanceof Double) return value.value
  if (isArray(value)) return value.map(toPlain)
  if (isDocument(value)) return mapFields(value, toPlain)
  return value
}
