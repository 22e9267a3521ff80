import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

export const second = datePart({
  name: '$second',
  part: 'The second, 0–59',
  example: 9,
  evaluate: local => local.getUTCSeconds(),
  sql: local => sql`second(${local})`,
})
