import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { isArray } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

export const reverseArray = eager({
  name: '$reverseArray',
  doc: {
    form: '{ $reverseArray: <array> }',
    meaning: 'The elements from the last to the first. Null or missing gives null.',
    example: { expression: { $reverseArray: '$words' }, document: { words: ['a', 'b'] }, result: ['b', 'a'] },
  },
  arity: [1, 1],
  evaluate: list => {
    if (list === undefined || list === null) return null
    if (!isArray(list)) throw wrongType('$reverseArray', 'an array', list)
    return list.toReversed()
  },
  sql: operands => {
    const taken = take(operands, { operator: '$reverseArray', wanted: 'list', wants: 'an array', nulls: 'null' })
    const list = taken?.operands[0]
    if (taken === undefined || list?.type.kind !== 'list') return undefined
    return given(taken, sql`list_reverse(${list.sql})`, list.type)
  },
})
