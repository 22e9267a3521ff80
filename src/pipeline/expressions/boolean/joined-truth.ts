import { type Fragment, join, sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import type { SqlExpression } from '../../compile/types.js'

/** Whether all or any of the operands are true: never NULL, and as a condition, where NULL counts as false. */
export function joinedTruth(operands: readonly SqlExpression[], word: ' and ' | ' or '): SqlExpression {
  const tests = operands.map(truthySql)
  const never = tests.map((test, i): Fragment => (isNeverNull(operands[i]!) ? test : sql`coalesce(${test}, false)`))
  return {
    sql: sql`(${join(never, word)})`,
    type: { kind: 'bool', absent: 'never' },
    ...(operands.every(isNeverNull) ? {} : { test: sql`(${join(tests, word)})` }),
  }
}

const isNeverNull = ({ type, test }: SqlExpression) =>
  type.kind === 'bool' && type.absent === 'never' && test === undefined
