import { sql } from '../../compile/sql.js'
import { numberFunction } from './number-function.js'

export const sqrt = numberFunction({
  name: '$sqrt',
  doc: {
    form: '{ $sqrt: <number> }',
    meaning: 'The square root; of a negative number it is an error, null and missing give null.',
    example: { expression: { $sqrt: 16 }, result: 4 },
  },
  domain: { of: 'numbers from 0', holds: value => value >= 0, sql: value => sql`${value} >= 0` },
  evaluate: Math.sqrt,
  sql: value => sql`sqrt(${value})`,
})
