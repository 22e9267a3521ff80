import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

/** The millisecond, 0–999. */
export const millisecond = datePart({
  name: '$millisecond',
  doc: {
    form: '{ $millisecond: <date> } or { $millisecond: { date, timezone } }',
    meaning: 'The millisecond, 0–999, in the time zone (UTC when none is given). Null and missing give null.',
    example: {
      expression: { $millisecond: '$created_dt' },
      document: { created_dt: { $date: '2026-03-07T17:08:09.045Z' } },
      result: 45,
    },
  },
  evaluate: local => local.getUTCMilliseconds(),
  sql: local => sql`(millisecond(${local}) % 1000)`,
})
