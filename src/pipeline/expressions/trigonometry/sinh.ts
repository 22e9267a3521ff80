import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const sinh = numberFunction({
  name: '$sinh',
  doc: {
    form: '{ $sinh: <number> }',
    meaning: 'The hyperbolic sine; null and missing give null.',
    example: { expression: { $sinh: 0 }, result: 0 },
  },
  evaluate: Math.sinh,
  sql: value => sql`sinh(${value})`,
})
