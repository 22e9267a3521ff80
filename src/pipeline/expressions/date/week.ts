import { sql } from '../../compile/sql.js'
import { sundayWeek } from './calendar.js'
import { datePart } from './date-part.js'

/** The week of the year, 0–53; weeks begin on Sunday, the days before the first Sunday are in week 0. */
export const week = datePart({
  name: '$week',
  doc: {
    form: '{ $week: <date> } or { $week: { date, timezone } }',
    meaning:
      'The week of the year, 0–53; weeks begin on Sunday, the days before the first Sunday are in week 0, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $week: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 9,
    },
  },
  evaluate: local => sundayWeek(local),
  sql: local => sql`((dayofyear(${local}) + 6 - dayofweek(${local})) // 7)`,
})
