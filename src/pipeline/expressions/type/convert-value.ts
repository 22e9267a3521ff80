import { readAnyDate } from '../date/read-any-date.js'
import { numberText } from '../string/number-text.js'
import { type Value, double, isNumeric, toNumber, typeName } from '../../value.js'
import type { Target } from './target.js'

/** Why a value can't be converted; never the value. */
export class Unconvertible extends Error {}

const unsupported = (value: Value, to: Target) => new Unconvertible(`can not convert ${typeName(value)} to ${to}`)

/** Texts of numbers; what else a program may take for one (hexadecimal, blanks around) is refused. */
export const DECIMAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/
export const WHOLE = /^[+-]?[0-9]+$/

function readDouble(text: string): number {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) throw new Unconvertible('can not read this string as a double')
  return number
}

const RANGES = { int: [-2147483648n, 2147483647n], long: [-(2n ** 63n), 2n ** 63n - 1n] } as const

function inRange(value: bigint, to: 'int' | 'long', why: string): number | bigint {
  const [least, most] = RANGES[to]
  if (value < least || value > most) throw new Unconvertible(why)
  return to === 'int' ? Number(value) : value
}

function toWhole(value: Value, to: 'int' | 'long'): Value {
  if (typeof value === 'boolean') return inRange(value ? 1n : 0n, to, '')
  if (typeof value === 'string') {
    const unreadable = `can not read this string as ${to === 'int' ? 'an int' : 'a long'}`
    // A long text is no number of 64 bits; reading it would only take time.
    if (!WHOLE.test(value) || value.length > 1000) throw new Unconvertible(unreadable)
    return inRange(BigInt(value.replace(/^\+/, '')), to, unreadable)
  }
  if (value instanceof Date && to === 'long') return BigInt(value.getTime())
  if (!isNumeric(value)) throw unsupported(value, to)
  const unheld = `can not hold this ${typeName(value)} in ${to === 'int' ? 'an int' : 'a long'}`
  const number = typeof value === 'bigint' ? value : toNumber(value)
  if (typeof number === 'number' && !Number.isFinite(number)) throw new Unconvertible(unheld)
  return inRange(typeof number === 'bigint' ? number : BigInt(Math.trunc(number)), to, unheld)
}

function toDouble(value: Value): Value {
  if (typeof value === 'boolean') return double(value ? 1 : 0)
  if (typeof value === 'string') return double(readDouble(value))
  if (value instanceof Date) return double(value.getTime())
  if (!isNumeric(value)) throw unsupported(value, 'double')
  return double(toNumber(value))
}

function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (!isNumeric(value)) throw unsupported(value, 'string')
  return numberText(value)
}

function toDate(value: Value): Date {
  if (value instanceof Date) return value
  if (typeof value === 'string') {
    const date = readAnyDate(value, undefined)
    if (date === undefined) throw new Unconvertible('can not read this string as a date')
    return date
  }
  // An int is no date: MongoDB takes only what is wide enough to hold one.
  const type = typeName(value)
  if (!isNumeric(value) || type === 'int') throw unsupported(value, 'date')
  const date = new Date(Math.trunc(toNumber(value)))
  if (Number.isNaN(date.getTime())) throw new Unconvertible(`can not hold this ${type} in a date`)
  return date
}

/**
 * A value that is neither null nor missing as another type.
 * @throws Unconvertible with the reason.
 */
export function convertValue(value: Value, to: Target): Value {
  switch (to) {
    case 'int':
    case 'long':
      return toWhole(value, to)
    case 'double':
      return toDouble(value)
    case 'string':
      return toText(value)
    case 'date':
      return toDate(value)
    case 'bool':
      // Everything but false and 0 is true, the empty string too.
      return typeof value === 'boolean' ? value : !isNumeric(value) || toNumber(value) !== 0
  }
}
