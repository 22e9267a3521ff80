import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const atan = numberFunction({
  name: '$atan',
  doc: {
    form: '{ $atan: <number> }',
    meaning: 'The angle in radians whose tangent is the number; null and missing give null.',
    example: { expression: { $atan: 0 }, result: 0 },
  },
  evaluate: Math.atan,
  sql: value => sql`atan(${value})`,
})
