import { type Fragment, bind, sql } from '../compile/sql.js'
import { type SqlExpression, type SqlType, isBounded } from '../compile/types.js'
import { total } from './gatherings/total.js'
import { numbersSql } from './numbers-sql.js'
import { ofValues } from './of-values.js'

/** A sum of doubles with compensation; where that is not finite, the plain sum tells infinity from NaN. */
const doubleSum = (value: Fragment, type: SqlType): Fragment =>
  isBounded(type)
    ? sql`coalesce(fsum(${value}), 0)`
    : sql`coalesce(case when isfinite(fsum(${value})) then fsum(${value}) else sum(${value}) end, 0)`

/** The sum as SQL over the values of a group. */
export function sumSql(operand: SqlExpression): SqlExpression | undefined {
  const { constant } = operand
  const numbers = numbersSql(operand)
  if (numbers === 'nothing') return { sql: sql`0::bigint`, type: { kind: 'int', bits: 1, absent: 'never' } }
  const { sql: value, type, isInt } = numbers
  if (type.kind === 'int') {
    if (constant !== undefined && type.bits <= 31) {
      return {
        sql: constant === 1 ? sql`count(*)` : sql`(count(*) * ${bind(BigInt(constant), 'BIGINT')})`,
        type: { kind: 'int', bits: type.bits + 31, absent: 'never' },
      }
    }
    const long = type.long === undefined ? {} : { long: type.long }
    // Each row adds at most 2^31 to what 2^31 rows can hold: 64-bit sums can't overflow.
    if (type.bits <= 31) {
      return { sql: sql`coalesce(sum(${value}), 0)::bigint`, type: { kind: 'int', bits: 62, ...long, absent: 'never' } }
    }
    // Wider ones are summed in 128 bits; what leaves 64 of them becomes a double when it is read.
    if (type.bits > 63) return undefined
    return { sql: sql`coalesce(sum(${value}::hugeint), 0)`, type: { kind: 'int', bits: 100, ...long, absent: 'never' } }
  }
  if (type.kind !== 'double' || (type.mixed !== undefined && isInt === undefined)) return undefined
  // Over no numbers at all the sum is the int 0; integers alone make an integer.
  const whole =
    isInt === undefined
      ? sql`count(${value}) = 0`
      : sql`coalesce(bool_and(${isInt}) filter (where ${value} is not null), true)`
  return {
    sql: doubleSum(value, type),
    type: { kind: 'double', finite: isBounded(type), mixed: isInt === undefined ? 1 : 53, absent: 'never' },
    isInt: sql`(${whole})`,
  }
}

export const sum = ofValues({
  name: '$sum',
  doc: {
    form: '{ $sum: <expression> }',
    meaning:
      'The sum of the numbers; { $sum: 1 } counts the documents. What is no number is ignored, over nothing it is 0. Integers stay integers and widen.',
    example: { accumulator: { $sum: '$n' }, documents: [{ n: 2 }, { n: 3 }, { n: 'x' }], result: 5 },
  },
  start: total,
  sql: sumSql,
})
