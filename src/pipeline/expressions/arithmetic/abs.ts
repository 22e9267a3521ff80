import { ExpressionError } from '../expression-error.js'
import { sql } from '../../compile/sql.js'
import { integer } from '../../value.js'
import { numberFunction } from './number-function.js'

export const abs = numberFunction({
  name: '$abs',
  doc: {
    form: '{ $abs: <number> }',
    meaning: 'The value without its sign; null and missing give null.',
    example: { expression: { $abs: '$lift' }, document: { lift: -0.25 }, result: 0.25 },
  },
  evaluate: Math.abs,
  sql: value => sql`abs(${value})`,
  integers: {
    evaluate: value => {
      const size = BigInt(value) < 0n ? -BigInt(value) : BigInt(value)
      if (BigInt.asIntN(64, size) !== size) throw new ExpressionError('$abs', 'can not hold this number in a long')
      return typeof value === 'bigint' ? size : integer(size)
    },
    // One bit more: the smallest int has no positive int.
    sql: ({ sql: value, type }) =>
      type.kind === 'int' && type.bits < 62
        ? { sql: sql`abs(${value}::bigint)`, type: { ...type, bits: type.bits + 1 } }
        : undefined,
  },
})
