import { sql } from '../../compile/sql.js'
import { numberFunction } from './number-function.js'

export const floor = numberFunction({
  name: '$floor',
  doc: {
    form: '{ $floor: <number> }',
    meaning:
      'The largest whole number that is not above the number; integers stay as they are, null and missing give null.',
    example: { expression: { $floor: '$score' }, document: { score: 3.5 }, result: 3 },
  },
  evaluate: Math.floor,
  sql: value => sql`floor(${value})`,
  integers: { evaluate: value => value, sql: operand => operand },
})
