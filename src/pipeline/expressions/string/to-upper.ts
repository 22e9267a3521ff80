import { failing } from '../../compile/fails.js'
import { sql } from '../../compile/sql.js'
import { eager } from '../eager.js'
import { lettersSql } from './letters-sql.js'
import { textOf } from './text-of.js'
import { textSql } from './text-sql.js'

/** A text in capital letters; only those of ASCII change, as MongoDB promises no others. */
export const toUpper = eager({
  name: '$toUpper',
  doc: {
    form: '{ $toUpper: <expression> }',
    meaning: 'The text in capital letters, those from A to Z only. Null and missing give "".',
    example: { expression: { $toUpper: '$driver' }, document: { driver: 'Billing' }, result: 'BILLING' },
  },
  arity: [1, 1],
  evaluate: value => textOf('$toUpper', value).replace(/[a-z]+/g, letters => letters.toUpperCase()),
  sql: ([operand], context) => {
    const text = operand && textSql('$toUpper', operand, context)
    if (text === undefined) return undefined
    const letters = lettersSql(text.orNull, 'upper')
    const whole = text.orNull === text.sql ? letters : sql`coalesce(${letters}, '')`
    return failing({ sql: whole, type: { kind: 'string', absent: 'never' } }, text.fails)
  },
})
