import { sql } from '../../compile/sql.js'
import { isoDay } from './calendar.js'
import { datePart } from './date-part.js'

export const isoDayOfWeek = datePart({
  name: '$isoDayOfWeek',
  part: 'The day of the week, 1 for Monday to 7 for Sunday',
  example: 6,
  evaluate: local => isoDay(local),
  sql: local => sql`isodow(${local})`,
})
