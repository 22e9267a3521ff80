import { type Fragment, join, sql } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import type { FieldPath } from '../path.js'
import type { Predicate } from '../tree.js'
import type { Value } from '../value.js'
import type { Leaf } from './leaf.js'
import { allOf, noneOf } from './logical.js'
import { pathPredicate } from './path-predicate.js'

/** What stands under a field: a leaf, or several conditions that each walk the path for themselves. */
export type Condition =
  | { readonly kind: 'leaf'; readonly name: string; readonly leaf: Leaf }
  /** All of them ($all), or not all of them together ($not). */
  | {
      readonly kind: 'every' | 'not'
      readonly name: string
      readonly parts: readonly Condition[]
      readonly json: unknown
    }

/** Whether something that a leaf operator parsed is a condition of several. */
export function isCondition(parsed: Leaf | Condition): parsed is Condition {
  return 'kind' in parsed
}

/** The condition at a path of a document. */
export function predicateOf(path: FieldPath, condition: Condition): Predicate {
  if (condition.kind === 'leaf') return pathPredicate(path, condition.leaf, condition.name)
  const parts = condition.parts.map(part => predicateOf(path, part))
  const inner = condition.kind === 'every' ? allOf(parts) : noneOf([allOf(parts)])
  const { pins: _, ...predicate } = inner
  return { ...predicate, toJson: () => ({ [path.join('.')]: { [condition.name]: condition.json } }) }
}

/** Whether a value meets the condition by itself, as an element of an array is judged: nothing is walked. */
export function testValue(condition: Condition, value: Value | undefined): boolean {
  if (condition.kind === 'leaf') return condition.leaf.test(value) !== (condition.leaf.negated ?? false)
  const all = condition.parts.every(part => testValue(part, value))
  return condition.kind === 'every' ? all : !all
}

/** The same as SQL; NULL counts as false. */
export function valueSql(condition: Condition, value: Fragment, type: SqlType): Fragment | undefined {
  if (condition.kind === 'leaf') {
    const one = condition.leaf.sql(value, type)
    return one !== undefined && condition.leaf.negated === true ? sql`((${one}) is not true)` : one
  }
  const all = everySql(condition.parts, value, type)
  return all !== undefined && condition.kind === 'not' ? sql`((${all}) is not true)` : all
}

/** All of the conditions on a value. */
export function everySql(conditions: readonly Condition[], value: Fragment, type: SqlType): Fragment | undefined {
  const parts: Fragment[] = []
  for (const condition of conditions) {
    const one = valueSql(condition, value, type)
    if (one === undefined) return undefined
    parts.push(one)
  }
  return parts.length === 0 ? sql`true` : sql`(${join(parts, ' and ')})`
}
