import { join, sql } from '../../compile/sql.js'
import { given } from '../../compile/take.js'
import { type Value, isArray } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'
import { distinct, inOrder } from './distinct.js'
import { takeSets } from './set-sql.js'

export const setUnion = eager({
  name: '$setUnion',
  doc: {
    form: '{ $setUnion: [<array>, …] }',
    meaning: 'The different elements of all arrays, in their order. Null or missing makes it null.',
    example: {
      expression: { $setUnion: ['$a', ['b', 'c']] },
      document: { a: ['c', 'a', 'a'] },
      result: ['a', 'b', 'c'],
    },
  },
  arity: [0, Infinity],
  evaluate: (...lists) => {
    const all: Value[] = []
    for (const list of lists) {
      if (list === undefined || list === null) return null
      if (!isArray(list)) throw wrongType('$setUnion', 'arrays', list)
      for (const item of list) all.push(item)
    }
    return inOrder(distinct(all).values())
  },
  sql: operands => {
    const sets = takeSets('$setUnion', operands, 'null in order')
    if (sets === undefined) return undefined
    const absent = join(
      sets.lists.map(list => sql`${list} is null`),
      ' or ',
    )
    const all = sql`list_sort(list_distinct(list_concat(${join([...sets.lists, sql`[]`], ', ')})))`
    return given(sets.taken, sql`(case when ${absent} then null else ${all} end)`, sets.type)
  },
})
