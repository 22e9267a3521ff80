import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

/** The hour, 0–23. */
export const hour = datePart({
  name: '$hour',
  doc: {
    form: '{ $hour: <date> } or { $hour: { date, timezone } }',
    meaning: 'The hour, 0–23, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $hour: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 17,
    },
  },
  evaluate: local => local.getUTCHours(),
  sql: local => sql`hour(${local})`,
})
