import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

export const month = datePart({
  name: '$month',
  part: 'The month, 1–12',
  example: 3,
  evaluate: local => local.getUTCMonth() + 1,
  sql: local => sql`month(${local})`,
})
