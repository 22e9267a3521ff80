import { sql } from '../../compile/sql.js'
import { isTruthy } from '../../value.js'
import { BOOL } from '../../given-type.js'
import { lazy } from '../lazy.js'
import { failsInTurn } from './fails-in-turn.js'
import { joinedTruth } from './joined-truth.js'

/** Whether any is true; after the first that is, none is evaluated. */
export const or = lazy({
  name: '$or',
  doc: {
    form: '{ $or: [<expression>, …] }',
    meaning: 'Whether any is true; after the first that is, nothing more is evaluated.',
    example: { expression: { $or: [{ $gt: ['$score', 4.5] }, '$vip'] }, document: { score: 4, vip: 1 }, result: true },
  },
  arity: [0, Infinity],
  gives: () => BOOL,
  evaluate: (...operands) => operands.some(operand => isTruthy(operand())),
  sql: operands => {
    if (operands.length === 0) return { sql: sql`false`, type: { kind: 'bool', absent: 'never' } }
    const fails = failsInTurn(operands, false)
    return { ...joinedTruth(operands, ' or '), ...(fails === undefined ? {} : { fails }) }
  },
})
