/**
 * A BSON value as the pipeline holds it. Missing is `undefined` and never stored in a document. Numbers: an integral
 * `number` within 32 bits is an int, a `bigint` is a long, every other `number` is a double; a double that happens to
 * be integral and within 32 bits is a `Double`.
 */
export type Value = null | boolean | number | bigint | string | Date | Double | readonly Value[] | Document

/** A document; its fields are ordered. */
export interface Document {
  readonly [field: string]: Value
}

/** A double whose value is a 32-bit integer: told from an int only where $type and conversions look. */
export class Double {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** Whether a number is what we keep as an int: integral, 32 bits, not minus zero. */
export function isInt(value: unknown): value is number {
  return typeof value === 'number' && (value | 0) === value && !Object.is(value, -0)
}

/** A double as a value: wrapped when it could be taken for an int. */
export function double(value: number): number | Double {
  return isInt(value) ? new Double(value) : value
}

/** An integer as a value: an int when it fits 32 bits, else a long. */
export function integer(value: bigint): number | bigint {
  return value >= -2147483648n && value <= 2147483647n ? Number(value) : value
}

export function isNumeric(value: Value | undefined): value is number | bigint | Double {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double
}

/** A numeric value as a JavaScript number (a long beyond 2^53 loses digits). */
export function toNumber(value: number | bigint | Double): number {
  if (typeof value === 'number') return value
  return typeof value === 'bigint' ? Number(value) : value.value
}

export function isDocument(value: Value | undefined): value is Document {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof Double)
  )
}

export function isArray(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value)
}

/** BSON's name of a value's type, as $type gives it. */
export type TypeName = 'missing' | 'null' | 'bool' | 'int' | 'long' | 'double' | 'string' | 'date' | 'array' | 'object'

export function typeName(value: Value | undefined): TypeName {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return isInt(value) ? 'int' : 'double'
  if (typeof value === 'bigint') return 'long'
  if (typeof value === 'string') return 'string'
  if (value instanceof Double) return 'double'
  if (value instanceof Date) return 'date'
  return isArray(value) ? 'array' : 'object'
}

/** Only false, 0, null and missing are false; "", [] and {} are true (rule "truth"). */
export function isTruthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false) return false
  return isNumeric(value) ? toNumber(value) !== 0 : true
}
