import { total } from '../../accumulators/gatherings/total.js'
import { sql } from '../../compile/sql.js'
import { overValues } from './over-values.js'

/** The sum of the numbers among the values, or among the elements of a single array; 0 when there are none. */
export const sumOf = overValues({
  name: '$sum',
  doc: {
    form: '{ $sum: <array> } or { $sum: [<expression>, …] }',
    meaning: 'The sum of the numbers among the values, or among the elements of a single array; 0 when there are none.',
    example: { expression: { $sum: '$n' }, document: { n: [2, 3] }, result: 5 },
  },
  start: total,
  sql: (list, of) => {
    if (of.kind === 'int' && of.bits <= 31) {
      const sum = sql`list_aggregate(${list}::bigint[], 'sum')`
      return { sql: sql`coalesce(${sum}, 0)::bigint`, type: { kind: 'int', bits: 62, absent: 'never' } }
    }
    return undefined
  },
})
