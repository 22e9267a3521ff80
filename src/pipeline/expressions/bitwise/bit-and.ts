import { sql } from '../../compile/sql.js'
import { bitwise } from './bitwise.js'

export const bitAnd = bitwise({
  name: '$bitAnd',
  doc: {
    form: '{ $bitAnd: [<integer>, …] }',
    meaning: 'The bits that are set in all of the numbers; takes integers only. Null or missing makes it null.',
    example: { expression: { $bitAnd: [6, 3] }, result: 2 },
  },
  neutral: -1n,
  combine: (a, b) => a & b,
  sql: (a, b) => sql`(${a} & ${b})`,
})
