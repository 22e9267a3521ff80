import { type Fragment, bind, guarded, join, sql } from './sql.js'
import type { SqlExpression } from './types.js'

/** What may fail of several expressions: the first sentence in their order; `undefined` when none can fail. */
export function firstFailure(fails: readonly (Fragment | undefined)[]): Fragment | undefined {
  const some = fails.filter(one => one !== undefined)
  if (some.length < 2) return some[0]
  return sql`coalesce(${join(some, ', ')})`
}

/** The sentence where the condition holds; NULL, as where the condition is NULL, means no failure. */
export function failsWhen(condition: Fragment, operator: string, reason: string): Fragment {
  return guarded(condition, sql`${bind(`${operator} ${reason}`, 'VARCHAR')}`)
}

/** The same for a condition on several rows, as window functions make: a search for rows can't hold one. */
export function failsWhenAmong(condition: Fragment, operator: string, reason: string): Fragment {
  return sql`(case when ${condition} then ${bind(`${operator} ${reason}`, 'VARCHAR')} end)`
}

/** What may fail, but only where the condition holds: a branch that is not taken raises nothing. */
export function failsWithin(condition: Fragment, fails: Fragment | undefined): Fragment | undefined {
  return fails === undefined ? undefined : sql`(case when ${condition} then ${fails} end)`
}

/** The expression with other sentences beside its own, which come after them. */
export function failing(expression: SqlExpression, ...before: readonly (Fragment | undefined)[]): SqlExpression {
  const fails = firstFailure([...before, expression.fails])
  return fails === undefined ? expression : { ...expression, fails }
}
