import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const asin = numberFunction({
  name: '$asin',
  doc: {
    form: '{ $asin: <number> }',
    meaning:
      'The angle in radians whose sine is the number; outside -1 to 1 it is an error, null and missing give null.',
    example: { expression: { $asin: 0 }, result: 0 },
  },
  domain: { of: 'numbers from -1 to 1', holds: value => Math.abs(value) <= 1, sql: value => sql`abs(${value}) <= 1` },
  evaluate: Math.asin,
  sql: value => sql`asin(${value})`,
})
