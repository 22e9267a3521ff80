import { sql } from '../../compile/sql.js'
import { numberFunction } from './number-function.js'

export const ceil = numberFunction({
  name: '$ceil',
  doc: {
    form: '{ $ceil: <number> }',
    meaning:
      'The smallest whole number that is not below the number; integers stay as they are, null and missing give null.',
    example: { expression: { $ceil: '$score' }, document: { score: 3.5 }, result: 4 },
  },
  evaluate: Math.ceil,
  sql: value => sql`ceil(${value})`,
  integers: { evaluate: value => value, sql: operand => operand },
})
