import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const sin = numberFunction({
  name: '$sin',
  doc: {
    form: '{ $sin: <number> }',
    meaning: 'The sine of an angle in radians; of an infinite one it is an error, null and missing give null.',
    example: { expression: { $sin: 0 }, result: 0 },
  },
  domain: { of: 'finite numbers', holds: value => Number.isFinite(value), sql: value => sql`not isinf(${value})` },
  evaluate: Math.sin,
  sql: value => sql`sin(${value})`,
})
