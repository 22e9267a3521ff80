import { sql } from '../../compile/sql.js'
import { numberFunction } from './number-function.js'

export const exp = numberFunction({
  name: '$exp',
  doc: {
    form: '{ $exp: <number> }',
    meaning: 'e to the power of the number; null and missing give null.',
    example: { expression: { $exp: 0 }, result: 1 },
  },
  evaluate: Math.exp,
  sql: value => sql`exp(${value})`,
})
