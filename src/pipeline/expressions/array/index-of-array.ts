import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { compareInExpression } from '../../order.js'
import { isArray } from '../../value.js'
import { eager } from '../eager.js'
import { readPlaces } from '../read-places.js'
import { wrongType } from '../wrong-type.js'

/** Where an array holds a value. */
export const indexOfArray = eager({
  name: '$indexOfArray',
  doc: {
    form: '{ $indexOfArray: [<array>, <value>, <start>, <end>] }',
    meaning:
      'The index, from 0, of the first element equal to the value, from start up to but not including end; -1 when there is none. A null or missing array gives null.',
    example: { expression: { $indexOfArray: ['$words', 'b'] }, document: { words: ['a', 'b'] }, result: 1 },
  },
  arity: [2, 4],
  evaluate: (list, value, ...places) => {
    if (list === undefined || list === null) return null
    if (!isArray(list)) throw wrongType('$indexOfArray', 'an array', list)
    const [start, end] = readPlaces('$indexOfArray', places, list.length)
    for (let i = start; i < end; i += 1) if (compareInExpression(list[i], value) === 0) return i
    return -1
  },
  sql: ([input, value, ...places]) => {
    if (input === undefined || value === undefined || places.length > 0) return undefined
    const taken = take([input], { operator: '$indexOfArray', wanted: 'list', wants: 'an array', nulls: 'null' })
    const list = taken?.operands[0]
    if (taken === undefined || list?.type.kind !== 'list') return undefined
    const { of } = list.type
    const plain = of.kind === value.type.kind && (of.kind === 'string' || of.kind === 'date' || of.kind === 'bool')
    // No element is null: a value that is null or missing is none of them.
    if (!plain || of.absent !== 'never') return undefined
    const place = sql`(case when ${list.sql} is not null then coalesce(list_position(${list.sql}, ${value.sql}), 0) - 1 end)`
    return given(taken, place, { kind: 'int', bits: 31 })
  },
})
