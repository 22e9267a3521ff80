import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { isArray } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

export const size = eager({
  name: '$size',
  doc: {
    form: '{ $size: <array> }',
    meaning:
      'The number of elements. Of what is no array, null and missing included, it is an error: { $size: { $ifNull: ["$signals", []] } }.',
    example: { expression: { $size: '$signals' }, document: { signals: [{ key: 'a' }] }, result: 1 },
  },
  arity: [1, 1],
  evaluate: value => {
    if (!isArray(value)) throw wrongType('$size', 'an array', value)
    return value.length
  },
  sql: operands => {
    const taken = take(operands, { operator: '$size', wanted: 'list', wants: 'an array', nulls: 'wrong' })
    const list = taken?.operands[0]
    // No list has a billion elements: the one before the last is still an index.
    return taken && list && given(taken, sql`len(${list.sql})`, { kind: 'int', bits: 30 })
  },
})
