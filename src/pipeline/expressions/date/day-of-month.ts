import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

export const dayOfMonth = datePart({
  name: '$dayOfMonth',
  part: 'The day of the month, 1–31',
  example: 7,
  evaluate: local => local.getUTCDate(),
  sql: local => sql`day(${local})`,
})
