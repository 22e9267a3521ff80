import { MOST_BULK } from '../../compile/bulk.js'
import { bind, join, sql } from '../../compile/sql.js'
import { type Value, isInt } from '../../value.js'
import { boundedLength } from '../bounded.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import { whole } from '../whole-number.js'

function read(value: Value | undefined): number {
  const number = whole(value)
  if (number === undefined) throw new ExpressionError('$range', 'takes whole numbers of 32 bits')
  return number
}

/** Most items a range in the engine has: what its operands allow is not known before. */
const ENGINE_ITEMS = MOST_BULK

/** Whole numbers in a row. */
export const range = eager({
  name: '$range',
  doc: {
    form: '{ $range: [<start>, <end>, <step>] }',
    meaning: 'The whole numbers from start up to but not including end, by step (1 when none is given; not 0).',
    example: { expression: { $range: [0, 10, 4] }, result: [0, 4, 8] },
  },
  arity: [2, 3],
  evaluate: (from, to, ...rest) => {
    const [start, end, step] = [read(from), read(to), rest.length === 0 ? 1 : read(rest[0])]
    if (step === 0) throw new ExpressionError('$range', 'takes a step other than 0')
    const length = Math.max(Math.ceil((end - start) / step), 0)
    boundedLength('$range', length)
    return Array.from({ length }, (_, i) => start + i * step)
  },
  sql: operands => {
    const [start, end, step = 1] = operands.map(one => one.constant)
    if (operands.length === 3 && operands[2]?.constant === undefined) return undefined
    if (!isInt(start) || !isInt(end) || !isInt(step) || step === 0) return undefined
    if ((end - start) / step > ENGINE_ITEMS) return undefined
    const numbers = [start, end, step].map(one => sql`${bind(BigInt(one), 'BIGINT')}`)
    const of = { kind: 'int', bits: 31, absent: 'never' } as const
    return { sql: sql`range(${join(numbers, ', ')})`, type: { kind: 'list', of, absent: 'never' } }
  },
})
