import { join, sql } from '../../compile/sql.js'
import { given } from '../../compile/take.js'
import { isArray } from '../../value.js'
import { BOOL } from '../../given-type.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'
import { distinct } from './distinct.js'
import { takeSets } from './set-sql.js'

export const setEquals = eager({
  name: '$setEquals',
  doc: {
    form: '{ $setEquals: [<array>, <array>, …] }',
    meaning: 'Whether all arrays have the same different elements. What is no array, null included, is an error.',
    example: { expression: { $setEquals: ['$a', ['b', 'c']] }, document: { a: ['c', 'b', 'c'] }, result: true },
  },
  arity: [2, Infinity],
  gives: () => BOOL,
  evaluate: (...lists) => {
    const sets = lists.map(list => {
      if (!isArray(list)) throw wrongType('$setEquals', 'arrays', list)
      return distinct(list)
    })
    const [first] = sets
    return sets.every(set => set.size === first?.size && [...set.keys()].every(key => first.has(key)))
  },
  sql: operands => {
    const sets = takeSets('$setEquals', operands, 'wrong')
    if (sets === undefined) return undefined
    const ordered = sets.lists.map(list => sql`list_sort(list_distinct(${list}))`)
    const [first, ...others] = ordered
    const equal = join(
      others.map(other => sql`${first!} = ${other}`),
      ' and ',
    )
    return given(sets.taken, sql`(${equal})`, { kind: 'bool' })
  },
})
