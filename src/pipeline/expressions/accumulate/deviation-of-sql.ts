import { TOO_LARGE } from '../../accumulators/gatherings/deviation.js'
import { lambdaName } from '../../compile/lambda.js'
import { type Fragment, bind, sql } from '../../compile/sql.js'
import { type SqlExpression, type SqlType, isBounded } from '../../compile/types.js'

/** The deviation of the numbers of a list, as deviationSql is of a group's. */
export function deviationOfSql(
  of: 'population' | 'sample',
  list: Fragment,
  element: SqlType,
): SqlExpression | undefined {
  if (element.kind !== 'int' && element.kind !== 'double') return undefined
  const doubles = sql`${list}::double[]`
  const engine = (numbers: Fragment) =>
    of === 'population' ? sql`list_aggregate(${numbers}, 'stddev_pop')` : sql`list_aggregate(${numbers}, 'stddev_samp')`
  if (isBounded(element)) return { sql: engine(doubles), type: { kind: 'double', finite: true, absent: 'null' } }
  const among = (condition: (number: Fragment) => Fragment) => {
    const number = lambdaName()
    return sql`list_filter(${doubles}, lambda ${number}: ${condition(number)})`
  }
  const large = bind(TOO_LARGE, 'DOUBLE')
  // The engine's deviation raises where squares overflow: it is not shown such numbers.
  const handy = among(number => sql`abs(${number}) < ${large}`)
  const tooLarge = among(number => sql`not (abs(${number}) < ${large})`)
  const least = of === 'population' ? sql`1` : sql`2`
  return {
    sql: sql`(case when len(${tooLarge}) = 0 then ${engine(handy)} when list_aggregate(${doubles}, 'count') >= ${least} then 'nan'::double end)`,
    type: { kind: 'double', finite: false, absent: 'null' },
  }
}
