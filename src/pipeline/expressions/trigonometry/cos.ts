import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const cos = numberFunction({
  name: '$cos',
  doc: {
    form: '{ $cos: <number> }',
    meaning: 'The cosine of an angle in radians; of an infinite one it is an error, null and missing give null.',
    example: { expression: { $cos: 0 }, result: 1 },
  },
  domain: { of: 'finite numbers', holds: value => Number.isFinite(value), sql: value => sql`not isinf(${value})` },
  evaluate: Math.cos,
  sql: value => sql`cos(${value})`,
})
