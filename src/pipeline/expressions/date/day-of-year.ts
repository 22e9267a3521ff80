import { sql } from '../../compile/sql.js'
import { dayOfYear } from './calendar.js'
import { datePart } from './date-part.js'

export const dayOfYearOperator = datePart({
  name: '$dayOfYear',
  part: 'The day of the year, 1–366',
  example: 66,
  evaluate: local => dayOfYear(local),
  sql: local => sql`dayofyear(${local})`,
})
