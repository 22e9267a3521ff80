import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

/** The year. */
export const year = datePart({
  name: '$year',
  doc: {
    form: '{ $year: <date> } or { $year: { date, timezone } }',
    meaning: 'The year, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $year: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 2026,
    },
  },
  evaluate: local => local.getUTCFullYear(),
  sql: local => sql`year(${local})`,
})
