import { sql } from '../../compile/sql.js'
import { sundayWeek } from './calendar.js'
import { datePart } from './date-part.js'

export const week = datePart({
  name: '$week',
  part: 'The week of the year, 0–53; weeks begin on Sunday, the days before the first Sunday are in week 0',
  example: 9,
  evaluate: local => sundayWeek(local),
  sql: local => sql`((dayofyear(${local}) + 6 - dayofweek(${local})) // 7)`,
})
