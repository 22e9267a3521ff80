import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

/** The day of the month, 1–31. */
export const dayOfMonth = datePart({
  name: '$dayOfMonth',
  doc: {
    form: '{ $dayOfMonth: <date> } or { $dayOfMonth: { date, timezone } }',
    meaning: 'The day of the month, 1–31, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $dayOfMonth: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 7,
    },
  },
  evaluate: local => local.getUTCDate(),
  sql: local => sql`day(${local})`,
})
