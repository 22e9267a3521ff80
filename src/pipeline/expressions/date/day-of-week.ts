import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

/** The day of the week, 1 for Sunday to 7 for Saturday. */
export const dayOfWeek = datePart({
  name: '$dayOfWeek',
  doc: {
    form: '{ $dayOfWeek: <date> } or { $dayOfWeek: { date, timezone } }',
    meaning:
      'The day of the week, 1 for Sunday to 7 for Saturday, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $dayOfWeek: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 7,
    },
  },
  evaluate: local => local.getUTCDay() + 1,
  sql: local => sql`(dayofweek(${local}) + 1)`,
})
