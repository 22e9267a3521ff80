import { type Fragment, join, sql } from '../compile/sql.js'
import { union } from '../fields-of.js'
import type { Predicate } from '../tree.js'

function conditions(
  parts: readonly Predicate[],
  context: Parameters<Predicate['sql']>[0],
): readonly Fragment[] | undefined {
  const compiled: Fragment[] = []
  for (const part of parts) {
    const one = part.sql(context)
    if (one === undefined) return undefined
    compiled.push(one)
  }
  return compiled
}

/** All of the conditions; no condition at all is true. */
export function allOf(parts: readonly Predicate[]): Predicate {
  const only = parts[0]
  if (parts.length === 1 && only !== undefined) return only
  const pins = parts.flatMap(part => part.pins ?? [])
  return {
    fields: union(parts.map(part => part.fields)),
    test: (document, environment) => parts.every(part => part.test(document, environment)),
    sql: context => {
      const compiled = conditions(parts, context)
      if (compiled === undefined) return undefined
      return compiled.length === 0 ? sql`true` : sql`(${join(compiled, ' and ')})`
    },
    toJson: () => (parts.length === 0 ? {} : { $and: parts.map(part => part.toJson()) }),
    ...(pins.length > 0 ? { pins } : {}),
  }
}

/** Any of the conditions. */
export function anyOf(parts: readonly Predicate[]): Predicate {
  return {
    fields: union(parts.map(part => part.fields)),
    test: (document, environment) => parts.some(part => part.test(document, environment)),
    sql: context => {
      const compiled = conditions(parts, context)
      return compiled === undefined ? undefined : sql`(${join(compiled, ' or ')})`
    },
    toJson: () => ({ $or: parts.map(part => part.toJson()) }),
  }
}

/** None of the conditions: the exact complement, so that what is missing stays. */
export function noneOf(parts: readonly Predicate[]): Predicate {
  const any = anyOf(parts)
  return {
    fields: any.fields,
    test: (document, environment) => !any.test(document, environment),
    sql: context => {
      const compiled = any.sql(context)
      return compiled === undefined ? undefined : sql`((${compiled}) is not true)`
    },
    toJson: () => ({ $nor: parts.map(part => part.toJson()) }),
  }
}
