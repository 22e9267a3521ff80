import { total } from '../../accumulators/gatherings/total.js'
import { sql } from '../../compile/sql.js'
import { isBounded } from '../../compile/types.js'
import { overValues } from './over-values.js'

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
    // Beside integers a double may hold one too, and which of them the list does not tell.
    if (of.kind !== 'double' || of.mixed !== undefined) return undefined
    const compensated = sql`list_aggregate(${list}, 'fsum')`
    const bounded = isBounded(of)
    const sum = bounded
      ? compensated
      : sql`case when isfinite(${compensated}) then ${compensated} else list_aggregate(${list}, 'sum') end`
    return {
      sql: sql`coalesce(${sum}, 0)`,
      // Over no numbers at all it is the int 0.
      type: { kind: 'double', finite: bounded, mixed: 1, absent: 'never' },
      isInt: sql`(coalesce(list_aggregate(${list}, 'count'), 0) = 0)`,
    }
  },
})
