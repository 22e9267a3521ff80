import { sql } from '../../compile/sql.js'
import { isTruthy } from '../../value.js'
import { BOOL } from '../../given-type.js'
import { lazy } from '../lazy.js'
import { failsInTurn } from './fails-in-turn.js'
import { joinedTruth } from './joined-truth.js'

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
  gives: () => BOOL,
  evaluate: (...operands) => operands.every(operand => isTruthy(operand())),
  sql: operands => {
    if (operands.length === 0) return { sql: sql`true`, type: { kind: 'bool', absent: 'never' } }
    const fails = failsInTurn(operands, true)
    return { ...joinedTruth(operands, ' and '), ...(fails === undefined ? {} : { fails }) }
  },
})
