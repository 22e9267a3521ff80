import { type Value, isArray, isDocument, isNumeric, toNumber, Double } from './value.js'

/** BSON's order of types (rule "order of types"). Missing and null share a place except in expressions. */
function rank(value: Value | undefined): number {
  if (value === undefined || value === null) return 0
  if (isNumeric(value)) return 1
  if (typeof value === 'string') return 2
  if (isDocument(value)) return 3
  if (isArray(value)) return 4
  if (typeof value === 'boolean') return 5
  return 6
}

/** The class within which $gt, $lt and equality of filters compare; values of two classes never match. */
export const typeClass = rank

function compareNumbers(a: number | bigint | Double, b: number | bigint | Double): number {
  const x = a instanceof Double ? a.value : a
  const y = b instanceof Double ? b.value : b
  const xNaN = typeof x === 'number' && Number.isNaN(x)
  const yNaN = typeof y === 'number' && Number.isNaN(y)
  // NaN is below every number and equal to itself.
  if (xNaN || yNaN) return xNaN === yNaN ? 0 : xNaN ? -1 : 1
  // A mixed comparison of number and bigint is exact in JavaScript.
  return x < y ? -1 : x > y ? 1 : 0
}

/** Strings compare by UTF-8 bytes; that is by code point, which JavaScript's `<` gets wrong for astral characters. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // Surrogates (astral characters) sort above the rest of the basic plane in UTF-8, below U+E000 in UTF-16.
    const xAstral = x >= 0xd800 && x <= 0xdfff
    const yAstral = y >= 0xd800 && y <= 0xdfff
    if (xAstral !== yAstral) return xAstral ? 1 : -1
    return x < y ? -1 : 1
  }
  return Math.sign(a.length - b.length)
}

function compareDocuments(a: { readonly [k: string]: Value }, b: { readonly [k: string]: Value }): number {
  const left = Object.entries(a)
  const right = Object.entries(b)
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const [aKey, aValue] = left[i]!
    const [bKey, bValue] = right[i]!
    const byType = Math.sign(rank(aValue) - rank(bValue))
    const order = byType || compareStrings(aKey, bKey) || compareValues(aValue, bValue)
    if (order !== 0) return order
  }
  return Math.sign(left.length - right.length)
}

/** Total order of values across types: -1, 0 or 1. Missing equals null here; expressions look at that themselves. */
export function compareValues(a: Value | undefined, b: Value | undefined): number {
  const byType = Math.sign(rank(a) - rank(b))
  if (byType !== 0 || a === undefined || b === undefined || a === null || b === null) return byType
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b)
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Date && b instanceof Date) return Math.sign(a.getTime() - b.getTime())
  if (isArray(a) && isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
      const order = compareValues(a[i], b[i])
      if (order !== 0) return order
    }
    return Math.sign(a.length - b.length)
  }
  if (isDocument(a) && isDocument(b)) return compareDocuments(a, b)
  return 0
}

/** Order in expressions, where missing is below null. */
export function compareInExpression(a: Value | undefined, b: Value | undefined): number {
  if (a === undefined || b === undefined) {
    if (a === b) return 0
    return a === undefined ? -1 : 1
  }
  return compareValues(a, b)
}

/** A string that is equal for values that are equal, for grouping: 1, 1.0 and long 1 are one; -0 is 0. */
export function valueKey(value: Value | undefined): string {
  if (value === undefined) return 'u'
  if (value === null) return 'n'
  if (isNumeric(value)) {
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? `#${Number(value)}` : `#${value}`
    const number = toNumber(value)
    return Number.isSafeInteger(number) || !Number.isInteger(number)
      ? `#${number === 0 ? 0 : number}`
      : `#${BigInt(number)}`
  }
  if (typeof value === 'string') return `s${JSON.stringify(value)}`
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return `d${value.getTime()}`
  if (isArray(value)) return `[${value.map(valueKey).join(',')}]`
  if (isDocument(value)) {
    return `{${Object.entries(value)
      .map(([k, v]) => `${JSON.stringify(k)}:${valueKey(v)}`)
      .join(',')}}`
  }
  return '?'
}
