import { sql } from '../compile/sql.js'
import { type SqlExpression, isBounded } from '../compile/types.js'
import { mean } from './gatherings/mean.js'
import { numbersSql } from './numbers-sql.js'
import { ofValues } from './of-values.js'

/** The mean as SQL over the values of a group. */
export function avgSql(operand: SqlExpression): SqlExpression {
  const numbers = numbersSql(operand)
  if (numbers === 'nothing') return { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
  const value = sql`${numbers.sql}::double`
  if (isBounded(numbers.type))
    return { sql: sql`favg(${value})`, type: { kind: 'double', finite: true, absent: 'null' } }
  return {
    sql: sql`(case when isfinite(favg(${value})) then favg(${value}) else avg(${value}) end)`,
    type: { kind: 'double', finite: false, absent: 'null' },
  }
}

export const avg = ofValues({
  name: '$avg',
  doc: {
    form: '{ $avg: <expression> }',
    meaning: 'The mean of the numbers, a double; what is no number is ignored, over nothing it is null.',
    example: { accumulator: { $avg: '$score' }, documents: [{ score: 3 }, { score: 4 }, {}], result: 3.5 },
  },
  start: mean,
  sql: avgSql,
})
