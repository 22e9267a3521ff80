import { type Value, isInt, isNumeric, toNumber } from '../value.js'

/** The whole number of 32 bits that a numeric value is, or `undefined`. */
export function whole(value: Value | undefined): number | undefined {
  if (!isNumeric(value)) return undefined
  const number = toNumber(value)
  // Minus zero is 0.
  return isInt(number + 0) ? number + 0 : undefined
}
