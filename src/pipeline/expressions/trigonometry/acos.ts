import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const acos = numberFunction({
  name: '$acos',
  doc: {
    form: '{ $acos: <number> }',
    meaning:
      'The angle in radians whose cosine is the number; outside -1 to 1 it is an error, null and missing give null.',
    example: { expression: { $acos: 1 }, result: 0 },
  },
  domain: { of: 'numbers from -1 to 1', holds: value => Math.abs(value) <= 1, sql: value => sql`abs(${value}) <= 1` },
  evaluate: Math.acos,
  sql: value => sql`acos(${value})`,
})
