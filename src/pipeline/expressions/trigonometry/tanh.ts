import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const tanh = numberFunction({
  name: '$tanh',
  doc: {
    form: '{ $tanh: <number> }',
    meaning: 'The hyperbolic tangent; null and missing give null.',
    example: { expression: { $tanh: 0 }, result: 0 },
  },
  evaluate: Math.tanh,
  sql: value => sql`tanh(${value})`,
})
