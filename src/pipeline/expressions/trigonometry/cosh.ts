import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const cosh = numberFunction({
  name: '$cosh',
  doc: {
    form: '{ $cosh: <number> }',
    meaning: 'The hyperbolic cosine; null and missing give null.',
    example: { expression: { $cosh: 0 }, result: 1 },
  },
  evaluate: Math.cosh,
  sql: value => sql`cosh(${value})`,
})
