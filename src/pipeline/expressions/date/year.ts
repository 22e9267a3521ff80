import { sql } from '../../compile/sql.js'
import { datePart } from './date-part.js'

export const year = datePart({
  name: '$year',
  part: 'The year',
  example: 2026,
  evaluate: local => local.getUTCFullYear(),
  sql: local => sql`year(${local})`,
})
