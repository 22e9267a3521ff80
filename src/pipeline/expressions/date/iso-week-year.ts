import { sql } from '../../compile/sql.js'
import { isoWeek } from './calendar.js'
import { datePart } from './date-part.js'

export const isoWeekYear = datePart({
  name: '$isoWeekYear',
  part: 'The year the ISO 8601 week belongs to',
  example: 2026,
  evaluate: local => BigInt(isoWeek(local).year),
  sql: local => sql`isoyear(${local})`,
  long: true,
})
