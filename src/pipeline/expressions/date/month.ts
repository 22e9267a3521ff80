import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

/** The month, 1–12. */
export const month = datePart({
  name: '$month',
  doc: {
    form: '{ $month: <date> } or { $month: { date, timezone } }',
    meaning: 'The month, 1–12, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $month: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 3,
    },
  },
  evaluate: local => local.getUTCMonth() + 1,
  sql: local => sql`month(${local})`,
})
