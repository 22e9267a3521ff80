import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

/** The minute, 0–59. */
export const minute = datePart({
  name: '$minute',
  doc: {
    form: '{ $minute: <date> } or { $minute: { date, timezone } }',
    meaning: 'The minute, 0–59, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $minute: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 8,
    },
  },
  evaluate: local => local.getUTCMinutes(),
  sql: local => sql`minute(${local})`,
})
