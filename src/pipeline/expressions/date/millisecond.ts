import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

export const millisecond = datePart({
  name: '$millisecond',
  part: 'The millisecond, 0–999',
  example: 45,
  evaluate: local => local.getUTCMilliseconds(),
  sql: local => sql`(millisecond(${local}) % 1000)`,
})
