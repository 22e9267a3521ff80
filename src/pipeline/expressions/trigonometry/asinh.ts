import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const asinh = numberFunction({
  name: '$asinh',
  doc: {
    form: '{ $asinh: <number> }',
    meaning: 'The number whose hyperbolic sine is the value; null and missing give null.',
    example: { expression: { $asinh: 0 }, result: 0 },
  },
  evaluate: Math.asinh,
  sql: value => sql`asinh(${value})`,
})
