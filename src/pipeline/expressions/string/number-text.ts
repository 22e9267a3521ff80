import { type Double, toNumber } from '../../value.js'

/** A number as text: the shortest that reads back as the same number. */
export function numberText(value: number | bigint | Double): string {
  const number = typeof value === 'bigint' ? value : toNumber(value)
  return Object.is(number, -0) ? '-0' : String(number)
}
