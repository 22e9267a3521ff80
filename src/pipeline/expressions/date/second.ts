import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

/** The second, 0–59. */
export const second = datePart({
  name: '$second',
  doc: {
    form: '{ $second: <date> } or { $second: { date, timezone } }',
    meaning: 'The second, 0–59, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $second: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 9,
    },
  },
  evaluate: local => local.getUTCSeconds(),
  sql: local => sql`second(${local})`,
})
