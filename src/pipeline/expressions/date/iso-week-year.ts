import { sql } from '../../compile/sql.js'
import { isoWeek } from './calendar.js'
import { datePart } from './date-part.js'

/** The year the ISO 8601 week belongs to. */
export const isoWeekYear = datePart({
  name: '$isoWeekYear',
  doc: {
    form: '{ $isoWeekYear: <date> } or { $isoWeekYear: { date, timezone } }',
    meaning:
      'The year the ISO 8601 week belongs to, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $isoWeekYear: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 2026,
    },
  },
  evaluate: local => BigInt(isoWeek(local).year),
  sql: local => sql`isoyear(${local})`,
  long: true,
})
