import { compareValuesSql } from '../../compile/compare-values-sql.js'
import { sql } from '../../compile/sql.js'
import { compareInExpression } from '../../order.js'
import { eager } from '../eager.js'
import { adviseBeside } from './advise-beside.js'
import { datesBeside } from './comparison.js'

const OUTCOMES = { less: sql`-1`, equal: sql`0`, greater: sql`1` }

export const cmp = eager({
  name: '$cmp',
  doc: {
    form: '{ $cmp: [<expression>, <expression>] }',
    meaning:
      'The order of two values: -1 when the first is below the second, 0 when they are equal, 1 when it is above.',
    example: { expression: { $cmp: ['$score', 3] }, document: { score: 2.5 }, result: -1 },
  },
  arity: [2, 2],
  prepare: datesBeside,
  advise: (operands, context) => adviseBeside('$cmp', operands, context),
  evaluate: (a, b) => compareInExpression(a, b),
  sql: ([a, b]) => {
    const compared = a && b && compareValuesSql(a, b, OUTCOMES)
    return compared && { sql: compared, type: { kind: 'int', bits: 1, absent: 'never' } }
  },
})
