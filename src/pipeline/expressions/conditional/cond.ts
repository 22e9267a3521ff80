import { commonKind } from '../../compile/common-type.js'
import { sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { joinAbsent } from '../../compile/types.js'
import { Refusal, refuseName } from '../../refusal.js'
import { isTruthy } from '../../value.js'
import { lazy } from '../eager.js'
import type { ExpressionOperator } from '../expression-operator.js'

const positional = lazy({
  name: '$cond',
  arity: [3, 3],
  evaluate: (condition, then, otherwise) => (isTruthy(condition?.()) ? then?.() : otherwise?.()),
  sql: ([condition, then, otherwise]) => {
    const test = condition && truthySql(condition)
    if (test === undefined || then === undefined || otherwise === undefined) return undefined
    const kind = commonKind([then, otherwise])
    if (kind === undefined) return undefined
    return {
      sql: sql`(case when ${test} then ${then.sql} else ${otherwise.sql} end)`,
      type: { ...kind, absent: joinAbsent(then.type.absent, otherwise.type.absent) },
    }
  },
})

const PARTS = ['if', 'then', 'else'] as const

/** `{$cond: [if, then, else]}` or `{$cond: {if, then, else}}`; the branch not taken is not evaluated. */
export const cond: ExpressionOperator = {
  name: '$cond',
  parse(argument, context, parse) {
    if (typeof argument !== 'object' || argument === null || Array.isArray(argument)) {
      return positional.parse(argument, context, parse)
    }
    for (const key of Object.keys(argument)) {
      if (!PARTS.some(part => part === key)) refuseName(context.where, 'The argument of $cond', key, PARTS, new Map())
    }
    const parts = argument as Readonly<Partial<Record<(typeof PARTS)[number], unknown>>>
    for (const part of PARTS) {
      if (!Object.hasOwn(argument, part)) throw new Refusal(context.where, `$cond needs the argument ${part}`)
    }
    return positional.parse(
      PARTS.map(part => parts[part]),
      context,
      parse,
    )
  },
}
