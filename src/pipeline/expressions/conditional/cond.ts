import { isObject } from '../../../base/is-object.js'
import { failing, failsWithin, firstFailure } from '../../compile/fails.js'
import { sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { joinAbsent } from '../../compile/types.js'
import { varied } from '../../compile/opaque.js'
import { chosen, unify } from '../../compile/unify.js'
import { eitherType } from '../../given-type.js'
import { isTruthy } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { lazy } from '../lazy.js'

const positional = lazy({
  name: '$cond',
  doc: {
    form: '{ $cond: [<if>, <then>, <else>] } or { $cond: { if, then, else } }',
    meaning: 'One of two values, by a condition; the one not chosen is not evaluated.',
    example: {
      expression: { $cond: [{ $gte: ['$score', 3.5] }, 'good', 'to review'] },
      document: { score: 3 },
      result: 'to review',
    },
  },
  arity: [3, 3],
  gives: ([, ...branches], typeOf) => eitherType(branches, typeOf),
  evaluate: (condition, then, otherwise) => (isTruthy(condition?.()) ? then?.() : otherwise?.()),
  sql: ([condition, then, otherwise]) => {
    if (condition === undefined || then === undefined || otherwise === undefined) return undefined
    const unified = unify([then, otherwise]) ?? varied([then, otherwise])
    if (unified === undefined) return undefined
    const test = truthySql(condition)
    const result = chosen(
      unified,
      joinAbsent(then.type.absent, otherwise.type.absent),
      ([yes, no]) => sql`(case when ${test} then ${yes!} else ${no!} end)`,
    )
    const branch = firstFailure([
      failsWithin(test, then.fails),
      failsWithin(sql`(${test}) is not true`, otherwise.fails),
    ])
    return failing(result, condition.fails, branch)
  },
})

const PARTS = ['if', 'then', 'else'] as const

/** `{$cond: [if, then, else]}` or `{$cond: {if, then, else}}`; the branch not taken is not evaluated. */
export const cond: ExpressionOperator = {
  name: '$cond',
  doc: positional.doc,
  parse(argument, context, parse) {
    if (!isObject(argument)) {
      return positional.parse(argument, context, parse)
    }
    const parts = argumentFields('$cond', argument, PARTS, [], context)
    return positional.parse(
      PARTS.map(part => parts[part]),
      context,
      parse,
    )
  },
}
