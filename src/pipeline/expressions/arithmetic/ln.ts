import { sql } from '../../compile/sql.js'
import { numberFunction } from './number-function.js'

export const ln = numberFunction({
  name: '$ln',
  doc: {
    form: '{ $ln: <number> }',
    meaning: 'The natural logarithm; of 0 and less it is an error, null and missing give null.',
    example: { expression: { $ln: 1 }, result: 0 },
  },
  domain: { of: 'numbers above 0', holds: value => value > 0, sql: value => sql`${value} > 0` },
  evaluate: Math.log,
  sql: value => sql`ln(${value})`,
})
