import { sql } from '../../compile/sql.js'
import { isoWeek } from './calendar.js'
import { datePart } from './date-part.js'

export const isoWeekOperator = datePart({
  name: '$isoWeek',
  part: 'The ISO 8601 week, 1–53; weeks begin on Monday',
  example: 10,
  evaluate: local => isoWeek(local).week,
  sql: local => sql`week(${local})`,
})
