import { bind, sql } from '../compile/sql.js'
import { type SqlExpression, isBounded } from '../compile/types.js'
import type { AccumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'
import { TOO_LARGE, deviation as gatherDeviation } from './gatherings/deviation.js'
import { numbersSql } from './numbers-sql.js'
import { ofValues } from './of-values.js'

/** The deviation as SQL over the values of a group, or of a window: `over` stands behind each aggregate. */
export function deviationSql(of: 'population' | 'sample', operand: SqlExpression, over = sql``): SqlExpression {
  const numbers = numbersSql(operand)
  if (numbers === 'nothing') return { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
  const value = sql`${numbers.sql}::double`
  const engine = of === 'population' ? sql`stddev_pop` : sql`stddev_samp`
  if (isBounded(numbers.type)) {
    return { sql: sql`${engine}(${value})${over}`, type: { kind: 'double', finite: true, absent: 'null' } }
  }
  const handy = sql`(abs(${value}) < ${bind(TOO_LARGE, 'DOUBLE')})`
  // The engine's deviation raises where squares overflow: it is not shown such numbers.
  const safe = sql`(case when ${handy} then ${value} end)`
  const found = sql`${engine}(${safe})${over}`
  const least = of === 'population' ? sql`count(${value})${over} >= 1` : sql`count(${value})${over} >= 2`
  return {
    sql: sql`(case when ${least} then case when bool_and(${handy})${over} then ${found} else 'nan'::double end end)`,
    type: { kind: 'double', finite: false, absent: 'null' },
  }
}

/** $stdDevPop and $stdDevSamp. */
export function deviation(name: '$stdDevPop' | '$stdDevSamp', doc: AccumulatorDoc): Accumulator {
  const of = name === '$stdDevPop' ? 'population' : 'sample'
  return ofValues({
    name,
    doc,
    start: () => gatherDeviation(of),
    sql: operand => deviationSql(of, operand),
    over: (operand, over) => deviationSql(of, operand, over),
  })
}
