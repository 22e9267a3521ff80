import { readLiteral } from '../extended-json.js'
import type { ParseContext } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { isNumeric, toNumber } from '../value.js'

/** A whole number of at least `least`, as $limit and $skip take. */
export function wholeNumber(json: unknown, least: number, name: string, context: ParseContext): number {
  const value = readLiteral(json, context.where)
  const number = isNumeric(value) ? toNumber(value) : Number.NaN
  if (!Number.isSafeInteger(number) || number < least) {
    throw new Refusal(context.where, `${name} takes a whole number from ${least}`)
  }
  return number
}
