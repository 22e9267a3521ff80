import { failsWithin, firstFailure } from '../../compile/fails.js'
import { type Fragment, join, sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import type { SqlExpression } from '../../compile/types.js'

/** What may fail of operands of which each is evaluated only while those before it are true (or, for $or, false). */
export function failsInTurn(operands: readonly SqlExpression[], goesOn: boolean): Fragment | undefined {
  const before: Fragment[] = []
  const fails = operands.map(operand => {
    const reached = before.length === 0 ? operand.fails : failsWithin(sql`${join([...before], ' and ')}`, operand.fails)
    before.push(goesOn ? sql`coalesce(${truthySql(operand)}, false)` : sql`not coalesce(${truthySql(operand)}, false)`)
    return reached
  })
  return firstFailure(fails)
}
