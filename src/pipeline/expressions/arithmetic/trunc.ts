import { sql } from '../../compile/sql.js'
import { rounding } from './rounding.js'

export const trunc = rounding({
  name: '$trunc',
  mode: 'trunc',
  doc: {
    form: '{ $trunc: [<number>, <place>] }',
    meaning: 'The number cut at a decimal place (0 when none is given), toward zero. Null and missing give null.',
    example: { expression: { $trunc: ['$score', 1] }, document: { score: 3.19 }, result: 3.1 },
  },
  sql: (value, place) => (place === 0 ? sql`trunc(${value})` : undefined),
})
