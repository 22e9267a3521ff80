import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const tan = numberFunction({
  name: '$tan',
  doc: {
    form: '{ $tan: <number> }',
    meaning: 'The tangent of an angle in radians; of an infinite one it is an error, null and missing give null.',
    example: { expression: { $tan: 0 }, result: 0 },
  },
  domain: { of: 'finite numbers', holds: value => Number.isFinite(value), sql: value => sql`not isinf(${value})` },
  evaluate: Math.tan,
  sql: value => sql`tan(${value})`,
})
