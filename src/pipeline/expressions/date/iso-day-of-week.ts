import { sql } from '../../compile/sql.js'
import { isoDay } from './calendar.js'
import { datePart } from './date-part.js'

/** The day of the week, 1 for Monday to 7 for Sunday. */
export const isoDayOfWeek = datePart({
  name: '$isoDayOfWeek',
  doc: {
    form: '{ $isoDayOfWeek: <date> } or { $isoDayOfWeek: { date, timezone } }',
    meaning:
      'The day of the week, 1 for Monday to 7 for Sunday, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $isoDayOfWeek: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 6,
    },
  },
  evaluate: local => isoDay(local),
  sql: local => sql`isodow(${local})`,
})
