import { sql } from '../../compile/sql.js'
import { numberFunction } from '../arithmetic/number-function.js'

export const degreesToRadians = numberFunction({
  name: '$degreesToRadians',
  doc: {
    form: '{ $degreesToRadians: <number> }',
    meaning: 'An angle in degrees as radians; null and missing give null.',
    example: { expression: { $degreesToRadians: 0 }, result: 0 },
  },
  evaluate: value => (value * Math.PI) / 180,
  sql: value => sql`(${value} * pi() / 180)`,
})
