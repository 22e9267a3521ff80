import { jsonKind } from '../compile/json-kind.js'
import { foundSql } from '../compile/found-sql.js'
import { sql } from '../compile/sql.js'
import { compilePattern } from '../pattern.js'
import type { LeafContext } from './leaf-operator.js'
import type { Leaf } from './leaf.js'
import type { RegexLiteral } from './read-regex.js'

/** A pattern found in a string; numbers never match. */
export function regexLeaf({ source, options }: RegexLiteral, { parse }: LeafContext): Leaf {
  const pattern = compilePattern(source, options, parse)
  return {
    elements: true,
    test: value => typeof value === 'string' && pattern.test(value),
    sql: (value, type) => {
      if (type.kind !== 'string' && type.kind !== 'open') return sql`false`
      const text = type.kind === 'open' ? sql`(${value} ->> '$')` : value
      const found = foundSql(text, pattern)
      if (found === undefined) return undefined
      return type.kind === 'open' ? sql`(${jsonKind.isString(value)} and ${found})` : found
    },
    finds: pattern,
    json: { $regularExpression: { pattern: source, options } },
  }
}
