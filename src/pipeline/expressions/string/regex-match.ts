import { failing } from '../../compile/fails.js'
import { foundSql } from '../../compile/found-sql.js'
import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { BOOL } from '../../given-type.js'
import { regexOperator } from './regex-operator.js'

/** Whether a pattern is found in a string. */
export const regexMatch = regexOperator({
  name: '$regexMatch',
  doc: {
    form: '{ $regexMatch: { input: <string>, regex: <pattern>, options: <i, m, s, x> } }',
    meaning:
      'Whether a pattern is found anywhere in the string; false for null and missing. Patterns are those of RE2.',
    example: {
      expression: { $regexMatch: { input: '$title', regex: 'refund', options: 'i' } },
      document: { title: 'Refund asked' },
      result: true,
    },
  },
  absent: false,
  gives: BOOL,
  evaluate: (text, pattern) => pattern.test(text),
  sql: (input, pattern) => {
    const taken = take([input], { operator: '$regexMatch', wanted: 'string', wants: 'strings as input', nulls: 'null' })
    const text = taken?.operands[0]
    const found = text && foundSql(text.sql, pattern)
    if (taken === undefined || found === undefined) return undefined
    const matched = given(taken, sql`coalesce(${found}, false)`, { kind: 'bool' })
    return failing({ ...matched, type: { kind: 'bool', absent: 'never' } }, input.fails)
  },
})
