import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const radiansToDegrees = numberFunction({
  name: '$radiansToDegrees',
  doc: {
    form: '{ $radiansToDegrees: <number> }',
    meaning: 'An angle in radians as degrees; null and missing give null.',
    example: { expression: { $radiansToDegrees: 0 }, result: 0 },
  },
  evaluate: value => (value * 180) / Math.PI,
  sql: value => sql`(${value} * 180 / pi())`,
})
