import { join, sql } from '../../compile/sql.js'
import { given } from '../../compile/take.js'
import { type Value, isArray } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'
import { distinct, inOrder } from './distinct.js'
import { takeSets } from './set-sql.js'

export const setIntersection = eager({
  name: '$setIntersection',
  doc: {
    form: '{ $setIntersection: [<array>, …] }',
    meaning: 'The different elements that are in all arrays, in their order. Null or missing makes it null.',
    example: { expression: { $setIntersection: ['$a', ['b', 'c']] }, document: { a: ['c', 'a', 'c'] }, result: ['c'] },
  },
  arity: [0, Infinity],
  evaluate: (...lists) => {
    let common: Map<string, Value> | undefined
    for (const list of lists) {
      if (list === undefined || list === null) return null
      if (!isArray(list)) throw wrongType('$setIntersection', 'arrays', list)
      const other = distinct(list)
      common = common === undefined ? other : new Map([...common].filter(([key]) => other.has(key)))
    }
    return inOrder(common?.values() ?? [])
  },
  sql: operands => {
    const sets = takeSets('$setIntersection', operands, 'null in order')
    if (sets === undefined) return undefined
    const [first, ...others] = sets.lists
    if (first === undefined) return undefined
    const common = others.reduce((a, b) => sql`list_intersect(${a}, ${b})`, first)
    const absent = join(
      sets.lists.map(list => sql`${list} is null`),
      ' or ',
    )
    return given(
      sets.taken,
      sql`(case when ${absent} then null else list_sort(list_distinct(${common})) end)`,
      sets.type,
    )
  },
})
