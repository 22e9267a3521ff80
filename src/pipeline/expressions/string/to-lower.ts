import { failing } from '../../compile/fails.js'
import { sql } from '../../compile/sql.js'
import { eager } from '../eager.js'
import { lettersSql } from './letters-sql.js'
import { textOf } from './text-of.js'
import { textSql } from './text-sql.js'

/** A text in small letters; only those of ASCII change, as MongoDB promises no others. */
export const toLower = eager({
  name: '$toLower',
  doc: {
    form: '{ $toLower: <expression> }',
    meaning: 'The text in small letters, those from A to Z only. Null and missing give "".',
    example: { expression: { $toLower: '$driver' }, document: { driver: 'Billing' }, result: 'billing' },
  },
  arity: [1, 1],
  evaluate: value => textOf('$toLower', value).replace(/[A-Z]+/g, letters => letters.toLowerCase()),
  sql: ([operand], context) => {
    const text = operand && textSql('$toLower', operand, context)
    if (text === undefined) return undefined
    const letters = lettersSql(text.orNull, 'lower')
    const whole = text.orNull === text.sql ? letters : sql`coalesce(${letters}, '')`
    return failing({ sql: whole, type: { kind: 'string', absent: 'never' } }, text.fails)
  },
})
