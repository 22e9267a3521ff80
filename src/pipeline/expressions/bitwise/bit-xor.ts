import { sql } from '../../compile/sql.js'
import { bitwise } from './bitwise.js'

export const bitXor = bitwise({
  name: '$bitXor',
  doc: {
    form: '{ $bitXor: [<integer>, …] }',
    meaning:
      'The bits that are set in an odd number of the numbers; takes integers only. Null or missing makes it null.',
    example: { expression: { $bitXor: [6, 3] }, result: 5 },
  },
  neutral: 0n,
  combine: (a, b) => a ^ b,
  sql: (a, b) => sql`xor(${a}, ${b})`,
})
