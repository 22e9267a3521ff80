import { sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { isTruthy } from '../../value.js'
import { BOOL } from '../../given-type.js'
import { eager } from '../eager.js'

/** Whether the value is false, 0, null or missing. */
export const not = eager({
  name: '$not',
  doc: {
    form: '{ $not: [<expression>] }',
    meaning: 'The opposite: true for false, 0, null and missing, false for everything else.',
    example: { expression: { $not: ['$title'] }, document: { score: 4 }, result: true },
  },
  arity: [1, 1],
  gives: () => BOOL,
  evaluate: value => !isTruthy(value),
  sql: ([operand]) =>
    operand && { sql: sql`((${truthySql(operand)}) is not true)`, type: { kind: 'bool', absent: 'never' } },
})
