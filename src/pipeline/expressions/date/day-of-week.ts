import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

export const dayOfWeek = datePart({
  name: '$dayOfWeek',
  part: 'The day of the week, 1 for Sunday to 7 for Saturday',
  example: 7,
  evaluate: local => local.getUTCDay() + 1,
  sql: local => sql`(dayofweek(${local}) + 1)`,
})
