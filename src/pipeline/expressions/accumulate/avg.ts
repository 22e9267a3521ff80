import { mean } from '../../accumulators/gatherings/mean.js'
import { sql } from '../../compile/sql.js'
import { overValues } from './over-values.js'

export const avgOf = overValues({
  name: '$avg',
  doc: {
    form: '{ $avg: <array> } or { $avg: [<expression>, …] }',
    meaning:
      'The mean of the numbers among the values, or among the elements of a single array; null when there are none.',
    example: { expression: { $avg: '$n' }, document: { n: [2, 3] }, result: 2.5 },
  },
  start: mean,
  sql: (list, of) => {
    if (of.kind !== 'int' && !(of.kind === 'double' && of.finite && of.mixed === undefined)) return undefined
    const doubles = sql`${list}::double[]`
    const compensated = sql`list_aggregate(${doubles}, 'favg')`
    return {
      sql: sql`(case when isfinite(${compensated}) then ${compensated} else list_aggregate(${doubles}, 'avg') end)`,
      type: { kind: 'double', finite: false, absent: 'null' },
    }
  },
})
