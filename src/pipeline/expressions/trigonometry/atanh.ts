import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const atanh = numberFunction({
  name: '$atanh',
  doc: {
    form: '{ $atanh: <number> }',
    meaning:
      'The number whose hyperbolic tangent is the value; outside -1 to 1 it is an error, null and missing give null.',
    example: { expression: { $atanh: 0 }, result: 0 },
  },
  domain: { of: 'numbers from -1 to 1', holds: value => Math.abs(value) <= 1, sql: value => sql`abs(${value}) <= 1` },
  evaluate: Math.atanh,
  sql: value =>
    sql`(case when abs(${value}) = 1 then ${value} * 'inf'::double else atanh(case when abs(${value}) < 1 or isnan(${value}) then ${value} end) end)`,
})
