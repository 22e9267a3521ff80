import { type Value, Double, isArray, isDocument } from '../value.js'

/** The JSON of a value, if reading it back gives the same value; `undefined` for what JSON does not hold. */
export function jsonLiteral(value: Value): string | undefined {
  return isJson(value) ? JSON.stringify(value) : undefined
}

function isJson(value: Value): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value === 'string') return value.isWellFormed()
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'bigint' || value instanceof Date || value instanceof Double) return false
  if (isArray(value)) return value.every(isJson)
  return isDocument(value) && Object.entries(value).every(([name, item]) => name.isWellFormed() && isJson(item))
}
