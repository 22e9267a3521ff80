import { join, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { commonType } from '../../compile/unify.js'
import { type Value, isArray } from '../../value.js'
import { boundedLength } from '../bounded.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

/** One array of several. */
export const concatArrays = eager({
  name: '$concatArrays',
  doc: {
    form: '{ $concatArrays: [<array>, …] }',
    meaning: 'The elements of all arrays in one. Null or missing makes it null.',
    example: { expression: { $concatArrays: ['$a', ['x']] }, document: { a: ['b'] }, result: ['b', 'x'] },
  },
  arity: [0, Infinity],
  evaluate: (...lists) => {
    const all: Value[] = []
    for (const list of lists) {
      if (list === undefined || list === null) return null
      if (!isArray(list)) throw wrongType('$concatArrays', 'arrays', list)
      boundedLength('$concatArrays', all.length + list.length)
      for (const item of list) all.push(item)
    }
    return all
  },
  sql: operands => {
    const demand = { operator: '$concatArrays', wanted: 'list', wants: 'arrays', nulls: 'null in order' } as const
    const taken = take(operands, demand)
    const type = taken && commonType(taken.operands.map(one => one.type))
    if (taken === undefined || type?.kind !== 'list' || operands.length === 0) return undefined
    const lists = taken.operands.map(one => one.sql)
    const all = lists.length === 1 ? lists[0]! : sql`list_concat(${join(lists, ', ')})`
    // The engine takes a NULL for an empty list.
    const absent = join(
      lists.map(list => sql`${list} is null`),
      ' or ',
    )
    const value = taken.absent === 'never' ? all : sql`(case when ${absent} then null else ${all} end)`
    return given(taken, value, type)
  },
})
