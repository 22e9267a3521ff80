import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const acosh = numberFunction({
  name: '$acosh',
  doc: {
    form: '{ $acosh: <number> }',
    meaning: 'The number whose hyperbolic cosine is the value; below 1 it is an error, null and missing give null.',
    example: { expression: { $acosh: 1 }, result: 0 },
  },
  domain: { of: 'numbers from 1', holds: value => value >= 1, sql: value => sql`${value} >= 1` },
  evaluate: Math.acosh,
  sql: value => sql`acosh(${value})`,
})
