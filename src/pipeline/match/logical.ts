import { firstFailure } from '../compile/fails.js'
import { type Fragment, MOST_TEXT, join, sql } from '../compile/sql.js'
import { union } from '../fields-of.js'
import type { Predicate, SqlCondition } from '../tree.js'

/**
 * Conditions joined in their order. One that may fail is judged only where those before have not decided: `and` goes on
 * where they hold, `or` where they don't.
 */
function joined(
  parts: readonly Predicate[],
  context: Parameters<Predicate['sql']>[0],
  word: 'and' | 'or',
): SqlCondition | undefined {
  const compiled: SqlCondition[] = []
  const failures: Fragment[] = []
  let size = 0
  for (const part of parts) {
    const one = part.sql(context)
    if (one === undefined) return undefined
    // A few thousand conditions, each of a long path into JSON, take seconds to be made and more to be read.
    size += one.sql.size
    if (size > MOST_TEXT) return undefined
    // Made for those alone that may fail: of thousands of conditions, those before each took half a second.
    if (one.fails !== undefined) {
      const before = compiled.map(other => (word === 'and' ? other.sql : sql`(${other.sql}) is not true`))
      failures.push(before.length === 0 ? one.fails : sql`(case when (${join(before, ' and ')}) then ${one.fails} end)`)
    }
    compiled.push(one)
  }
  const fails = firstFailure(failures)
  const conditions = compiled.map(one => one.sql)
  return {
    sql: conditions.length === 0 ? sql`true` : sql`(${join(conditions, word === 'and' ? ' and ' : ' or ')})`,
    ...(fails === undefined ? {} : { fails }),
  }
}

/** All of the conditions; no condition at all is true. */
export function allOf(parts: readonly Predicate[]): Predicate {
  const only = parts[0]
  if (parts.length === 1 && only !== undefined) return only
  // What comes after a condition that may raise an error is judged only where that raises none: not looked up before.
  const raising = parts.findIndex(part => part.raises === true)
  const pins = (raising === -1 ? parts : parts.slice(0, raising)).flatMap(part => part.pins ?? [])
  const excludes = parts.flatMap(part => part.excludes ?? [])
  const finds = raising === -1 ? findsOf(parts) : undefined
  const compares = parts.flatMap(part => part.compares ?? [])
  return {
    fields: union(parts.map(part => part.fields)),
    test: (document, environment) => parts.every(part => part.test(document, environment)),
    sql: context => joined(parts, context, 'and'),
    toJson: () => (parts.length === 0 ? {} : { $and: parts.map(part => part.toJson()) }),
    ...(raising === -1 ? {} : { raises: true }),
    ...(pins.length > 0 ? { pins } : {}),
    ...(finds === undefined ? {} : { finds }),
    ...(compares.length > 0 ? { compares } : {}),
    ...(excludes.length > 0 ? { excludes } : {}),
  }
}

/** What conditions that all must be met look for in texts, and those that are left without it. */
function findsOf(parts: readonly Predicate[]): Predicate['finds'] {
  const patterns = parts.flatMap(part => part.finds?.patterns ?? [])
  return patterns.length === 0 ? undefined : { patterns, rest: allOf(parts.map(part => part.finds?.rest ?? part)) }
}

/** Any of the conditions. */
export function anyOf(parts: readonly Predicate[]): Predicate {
  return {
    fields: union(parts.map(part => part.fields)),
    test: (document, environment) => parts.some(part => part.test(document, environment)),
    sql: context => joined(parts, context, 'or'),
    toJson: () => ({ $or: parts.map(part => part.toJson()) }),
    ...(parts.some(part => part.raises === true) ? { raises: true } : {}),
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
      return compiled && { ...compiled, sql: sql`((${compiled.sql}) is not true)` }
    },
    toJson: () => ({ $nor: parts.map(part => part.toJson()) }),
    ...(any.raises === true ? { raises: true } : {}),
  }
}
