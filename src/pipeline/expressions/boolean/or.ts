import { join, sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { isTruthy } from '../../value.js'
import { lazy } from '../lazy.js'
import { failsInTurn } from './fails-in-turn.js'

/** Whether any is true; after the first that is, none is evaluated. */
export const or = lazy({
  name: '$or',
  doc: {
    form: '{ $or: [<expression>, …] }',
    meaning: 'Whether any is true; after the first that is, nothing more is evaluated.',
    example: { expression: { $or: [{ $gt: ['$score', 4.5] }, '$vip'] }, document: { score: 4, vip: 1 }, result: true },
  },
  arity: [0, Infinity],
  evaluate: (...operands) => operands.some(operand => isTruthy(operand())),
  sql: operands => {
    const any =
      operands.length === 0
        ? sql`false`
        : join(
            operands.map(one => sql`coalesce(${truthySql(one)}, false)`),
            ' or ',
          )
    const fails = failsInTurn(operands, false)
    return { sql: sql`(${any})`, type: { kind: 'bool', absent: 'never' }, ...(fails === undefined ? {} : { fails }) }
  },
})
