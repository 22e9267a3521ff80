import { type Fragment, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import type { SqlExpression } from '../../compile/types.js'
import { type Value, double, integer, isInt, isNumeric, toNumber } from '../../value.js'
import { eager } from '../eager.js'
import type { ExpressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { divideWhole, roundDecimal } from './round-decimal.js'

interface Rounding {
  readonly name: '$round' | '$trunc'
  readonly mode: 'round' | 'trunc'
  readonly doc: ExpressionDoc
  /** A double at a decimal place, where the engine is exact. */
  readonly sql: (value: Fragment, place: number) => Fragment | undefined
}

const PLACE = 'takes a whole number from -20 to 100 as its place'

function placeOf(name: string, value: Value): number {
  const place = isNumeric(value) ? toNumber(value) : Number.NaN
  if (!Number.isInteger(place) || place < -20 || place > 100) throw new ExpressionError(name, PLACE)
  return place
}

function roundInteger(value: number | bigint, place: number, mode: Rounding['mode']): Value {
  if (place >= 0) return value
  const scale = 10n ** BigInt(-place)
  const rounded = divideWhole(BigInt(value), scale, mode) * scale
  if (BigInt.asIntN(64, rounded) !== rounded) return double(Number(rounded))
  return typeof value === 'bigint' ? rounded : integer(rounded)
}

function compileRounding(
  operands: readonly SqlExpression[],
  { name, sql: toSql }: Rounding,
): SqlExpression | undefined {
  const [first, second] = operands
  const place = second === undefined ? 0 : second.constant
  if (first === undefined || place === undefined || !Number.isInteger(place) || place < -20 || place > 100) {
    return undefined
  }
  const taken = take([first], { operator: name, wanted: 'number', wants: 'numbers', nulls: 'null' })
  const operand = taken?.operands[0]
  if (taken === undefined || operand === undefined) return undefined
  if (operand.type.kind === 'nothing') return given(taken, sql`null`, { kind: 'nothing' })
  if (operand.type.kind === 'int') return place >= 0 ? given(taken, operand.sql, operand.type) : undefined
  if (operand.type.kind !== 'double' || (operand.type.mixed !== undefined && place < 0)) return undefined
  const value = toSql(operand.sql, place)
  return value && given(taken, value, operand.type, { isInt: operand.isInt })
}

/** $round and $trunc: `{$round: [number, place]}`, integers stay integers. */
export function rounding(definition: Rounding): ExpressionOperator {
  const { name, mode, doc } = definition
  return eager({
    name,
    doc,
    arity: [1, 2],
    evaluate: (value, ...rest) => {
      if (value === undefined || value === null) return null
      if (!isNumeric(value)) throw wrongType(name, 'numbers', value)
      const given = rest.length === 0 ? 0 : rest[0]
      if (given === undefined || given === null) return null
      const place = placeOf(name, given)
      if (typeof value === 'bigint' || isInt(value)) return roundInteger(value, place, mode)
      return double(roundDecimal(toNumber(value), place, mode))
    },
    sql: operands => compileRounding(operands, definition),
  })
}
