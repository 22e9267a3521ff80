import { type Value, isNumeric, toNumber } from '../value.js'

/** The whole number of 32 bits that a numeric value is, or `undefined`. */
export function whole(value: Value | undefined): number | undefined {
  if (!isNumeric(value)) return undefined
  const number = toNumber(value)
  return Number.isInteger(number) && Math.abs(number) <= 2147483648 ? number + 0 : undefined
}
