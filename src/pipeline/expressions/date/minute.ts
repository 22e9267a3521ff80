import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

export const minute = datePart({
  name: '$minute',
  part: 'The minute, 0–59',
  example: 8,
  evaluate: local => local.getUTCMinutes(),
  sql: local => sql`minute(${local})`,
})
