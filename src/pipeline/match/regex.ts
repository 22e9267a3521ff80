import { bind, sql } from '../compile/sql.js'
import { compilePattern } from '../pattern.js'
import { Refusal } from '../refusal.js'
import type { LeafOperator } from './leaf-operator.js'

/** A pattern found in a string; numbers never match, arrays are walked. */
export const regex: LeafOperator = {
  name: '$regex',
  parse: (argument, context) => {
    const { where, limits } = context.parse
    const options = context.siblings['$options'] ?? ''
    if (typeof argument !== 'string') throw new Refusal(where, '$regex takes a string')
    if (typeof options !== 'string') throw new Refusal(where, '$options takes a string of i, m, s and x')
    const pattern = compilePattern(argument, options, where, limits.patternLength)
    return {
      elements: true,
      test: value => typeof value === 'string' && pattern.test(value),
      sql: (value, type) => {
        if (type.kind === 'open') return undefined
        if (type.kind !== 'string') return sql`false`
        // A plain text is a substring search, several times as fast as a pattern.
        return pattern.plain !== undefined
          ? sql`contains(${value}, ${bind(pattern.plain, 'VARCHAR')})`
          : sql`regexp_matches(${value}, ${bind(pattern.re2, 'VARCHAR')})`
      },
      json: options === '' ? argument : { $regex: argument, $options: options },
    }
  },
}
