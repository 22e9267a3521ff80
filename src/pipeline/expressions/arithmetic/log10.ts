import { sql } from '../../compile/sql.js'
import { numberFunction } from './number-function.js'

export const log10 = numberFunction({
  name: '$log10',
  doc: {
    form: '{ $log10: <number> }',
    meaning: 'The logarithm to base 10; of 0 and less it is an error, null and missing give null.',
    example: { expression: { $log10: 1000 }, result: 3 },
  },
  domain: { of: 'numbers above 0', holds: value => value > 0, sql: value => sql`${value} > 0` },
  evaluate: Math.log10,
  sql: value => sql`log10(${value})`,
})
