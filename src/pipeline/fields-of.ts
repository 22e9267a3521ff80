import { beneath } from './beneath.js'
import type { Expression } from './tree.js'

/**
 * The top-level fields an expression reads, or `undefined` when it may read any (`$$ROOT`, `$$CURRENT`). What pruning
 * columns goes by.
 */
export function fieldsOf(expression: Expression): readonly string[] | undefined {
  if (expression.kind !== 'field') return union(beneath(expression).map(fieldsOf))
  if (expression.variable !== undefined) return []
  const first = expression.path[0]
  return first === undefined ? undefined : [first]
}

/** The union of lists of fields; `undefined` (any field) wins. */
export function union(lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const all = new Set<string>()
  for (const list of lists) {
    if (list === undefined) return undefined
    for (const field of list) all.add(field)
  }
  return [...all]
}
