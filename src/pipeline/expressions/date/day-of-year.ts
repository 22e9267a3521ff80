import { sql } from '../../compile/sql.js'
import { dayOfYear } from './calendar.js'
import { datePart } from './date-part.js'

/** The day of the year, 1–366. */
export const dayOfYearOperator = datePart({
  name: '$dayOfYear',
  doc: {
    form: '{ $dayOfYear: <date> } or { $dayOfYear: { date, timezone } }',
    meaning: 'The day of the year, 1–366, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $dayOfYear: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 66,
    },
  },
  evaluate: local => dayOfYear(local),
  sql: local => sql`dayofyear(${local})`,
})
