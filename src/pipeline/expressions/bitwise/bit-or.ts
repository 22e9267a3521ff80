import { sql } from '../../compile/sql.js'
import { bitwise } from './bitwise.js'

export const bitOr = bitwise({
  name: '$bitOr',
  doc: {
    form: '{ $bitOr: [<integer>, …] }',
    meaning: 'The bits that are set in any of the numbers; takes integers only. Null or missing makes it null.',
    example: { expression: { $bitOr: [6, 3] }, result: 7 },
  },
  neutral: 0n,
  combine: (a, b) => a | b,
  sql: (a, b) => sql`(${a} | ${b})`,
})
