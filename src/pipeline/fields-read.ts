import { fieldsOf } from './fields-of.js'
import type { FieldPath } from './path.js'
import type { Expression, Stage, Fields } from './tree.js'

export const NO_FIELDS: Fields = new Set()

/** All fields that any of them names. */
export function allOf(...many: readonly Fields[]): Fields {
  const names = new Set<string>()
  for (const fields of many) {
    if (fields === 'all') return 'all'
    for (const name of fields) names.add(name)
  }
  return names
}

/** The fields that expressions read. */
export function readBy(expressions: readonly Expression[]): Fields {
  return allOf(...expressions.map(expression => asFields(fieldsOf(expression))))
}

/** The fields that paths begin with. */
export function rootsOf(paths: readonly FieldPath[]): Fields {
  return new Set(paths.flatMap(path => path.slice(0, 1)))
}

/** Fields as predicates list them. */
export function asFields(names: readonly string[] | undefined): Fields {
  return names === undefined ? 'all' : new Set(names)
}

/** The fields but for some. */
export function without(fields: Fields, names: readonly string[]): Fields {
  if (fields === 'all') return fields
  return new Set([...fields].filter(name => !names.includes(name)))
}

/**
 * The fields that stages can touch of the documents that reach them, so that no others need to be fetched.
 * @param after the fields that are wanted of what comes out
 */
export function fieldsRead(stages: readonly Stage[], after: Fields = 'all'): Fields {
  return stages.reduceRight<Fields>((wanted, stage) => stage.reads?.(wanted) ?? 'all', after)
}
