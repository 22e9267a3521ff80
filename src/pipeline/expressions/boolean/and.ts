import { join, sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { isTruthy } from '../../value.js'
import { lazy } from '../lazy.js'
import { failsInTurn } from './fails-in-turn.js'

/** Whether all are true; after the first that is not, none is evaluated. */
export const and = lazy({
  name: '$and',
  doc: {
    form: '{ $and: [<expression>, …] }',
    meaning:
      'Whether all are true. Only false, 0, null and missing count as false; after the first of those nothing more is evaluated.',
    example: {
      expression: { $and: [{ $gt: ['$score', 3] }, '$title'] },
      document: { score: 4, title: '' },
      result: true,
    },
  },
  arity: [0, Infinity],
  evaluate: (...operands) => operands.every(operand => isTruthy(operand())),
  sql: operands => {
    const all =
      operands.length === 0
        ? sql`true`
        : join(
            operands.map(one => sql`coalesce(${truthySql(one)}, false)`),
            ' and ',
          )
    const fails = failsInTurn(operands, true)
    return { sql: sql`(${all})`, type: { kind: 'bool', absent: 'never' }, ...(fails === undefined ? {} : { fails }) }
  },
})
