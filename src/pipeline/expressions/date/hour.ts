import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

export const hour = datePart({
  name: '$hour',
  part: 'The hour, 0–23',
  example: 17,
  evaluate: local => local.getUTCHours(),
  sql: local => sql`hour(${local})`,
})
