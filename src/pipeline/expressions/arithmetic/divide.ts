import { failsWhen } from '../../compile/fails.js'
import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { double, isNumeric, toNumber } from '../../value.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import { wrongType } from '../wrong-type.js'

const BY_ZERO = 'can not divide by zero'

/** The quotient, always a double; by zero it is an error. */
export const divide = eager({
  name: '$divide',
  doc: {
    form: '{ $divide: [<number>, <number>] }',
    meaning: 'The quotient, always a double. Dividing by zero is an error; null or missing makes it null.',
    example: { expression: { $divide: ['$positive', '$calls'] }, document: { positive: 3, calls: 4 }, result: 0.75 },
  },
  arity: [2, 2],
  evaluate: (a, b) => {
    if (a === undefined || a === null || b === undefined || b === null) return null
    if (!isNumeric(a) || !isNumeric(b)) throw wrongType('$divide', 'numbers', isNumeric(a) ? b : a)
    if (toNumber(b) === 0) throw new ExpressionError('$divide', BY_ZERO)
    return double(toNumber(a) / toNumber(b))
  },
  sql: operands => {
    const taken = take(operands, { operator: '$divide', wanted: 'number', wants: 'numbers', nulls: 'null' })
    const [a, b] = taken?.operands ?? []
    if (taken === undefined || a === undefined || b === undefined) return undefined
    if (a.type.kind === 'nothing' || b.type.kind === 'nothing') return given(taken, sql`null`, { kind: 'nothing' })
    const constant = b.constant !== undefined && b.constant !== 0
    const byZero = constant ? undefined : failsWhen(sql`${b.sql} = 0 and ${a.sql} is not null`, '$divide', BY_ZERO)
    // The engine itself gives infinity or NULL and never raises.
    return given(
      taken,
      sql`(${a.sql}::double / ${b.sql}::double)`,
      { kind: 'double', finite: false },
      { fails: byZero },
    )
  },
})
