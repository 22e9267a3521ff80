import { sql } from '../../compile/sql.js'
import { isoWeek } from './calendar.js'
import { datePart } from './date-part.js'

/** The ISO 8601 week, 1–53; weeks begin on Monday. */
export const isoWeekOperator = datePart({
  name: '$isoWeek',
  doc: {
    form: '{ $isoWeek: <date> } or { $isoWeek: { date, timezone } }',
    meaning:
      'The ISO 8601 week, 1–53; weeks begin on Monday, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $isoWeek: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 10,
    },
  },
  evaluate: local => isoWeek(local).week,
  sql: local => sql`week(${local})`,
})
