import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { isInt } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

/** Every bit the other way. */
export const bitNot = eager({
  name: '$bitNot',
  doc: {
    form: '{ $bitNot: <integer> }',
    meaning: 'The number with every bit the other way; takes integers only. Null and missing give null.',
    example: { expression: { $bitNot: 5 }, result: -6 },
  },
  arity: [1, 1],
  evaluate: value => {
    if (value === undefined || value === null) return null
    if (typeof value !== 'bigint' && !isInt(value)) throw wrongType('$bitNot', 'integers', value)
    return typeof value === 'bigint' ? ~value : ~value
  },
  sql: ([operand]) => {
    if (operand?.type.kind !== 'int' || operand.type.bits > 31) return undefined
    const taken = take([operand], { operator: '$bitNot', wanted: 'number', wants: 'integers', nulls: 'null' })
    return taken && given(taken, sql`(-1 - ${operand.sql}::bigint)`, operand.type)
  },
})
