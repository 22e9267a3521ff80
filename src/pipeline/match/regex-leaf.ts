import { jsonKind } from '../compile/json-kind.js'
import { bind, sql } from '../compile/sql.js'
import { compilePattern } from '../pattern.js'
import type { Leaf, LeafContext } from './leaf-operator.js'
import type { RegexLiteral } from './read-regex.js'

/** A pattern found in a string; numbers never match. */
export function regexLeaf({ source, options }: RegexLiteral, { parse: { where, limits } }: LeafContext): Leaf {
  const pattern = compilePattern(source, options, where, limits.patternLength)
  const { plain } = pattern
  return {
    elements: true,
    test: value => typeof value === 'string' && pattern.test(value),
    sql: (value, type) => {
      if (type.kind !== 'string' && type.kind !== 'open') return sql`false`
      const text = type.kind === 'open' ? sql`(${value} ->> '$')` : value
      // A plain text is a substring search, several times as fast as a pattern.
      const found =
        plain !== undefined
          ? sql`contains(${text}, ${bind(plain, 'VARCHAR')})`
          : sql`regexp_matches(${text}, ${bind(pattern.re2, 'VARCHAR')})`
      return type.kind === 'open' ? sql`(${jsonKind.isString(value)} and ${found})` : found
    },
    json: { $regularExpression: { pattern: source, options } },
  }
}
