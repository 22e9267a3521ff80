import { sql } from '../../compile/sql.js'
import { given } from '../../compile/take.js'
import { isArray } from '../../value.js'
import { BOOL } from '../../given-type.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'
import { distinct } from './distinct.js'
import { takeSets } from './set-sql.js'

export const setIsSubset = eager({
  name: '$setIsSubset',
  doc: {
    form: '{ $setIsSubset: [<array>, <array>] }',
    meaning: 'Whether every element of the first array is in the second. What is no array, null included, is an error.',
    example: { expression: { $setIsSubset: [['b'], '$a'] }, document: { a: ['c', 'b'] }, result: true },
  },
  arity: [2, 2],
  gives: () => BOOL,
  evaluate: (a, b) => {
    if (!isArray(a) || !isArray(b)) throw wrongType('$setIsSubset', 'arrays', isArray(a) ? b : a)
    const all = distinct(b)
    return [...distinct(a).keys()].every(key => all.has(key))
  },
  sql: operands => {
    const sets = takeSets('$setIsSubset', operands, 'wrong', 'null too')
    if (sets === undefined) return undefined
    const [a, b] = sets.lists
    if (a === undefined || b === undefined) return undefined
    const all = sql`list_has_all(${b}, ${a})`
    // The engine passes over nulls; to be exact one of the first must be among the second.
    const nulls = sql`(list_count(${a}) = len(${a}) or list_count(${b}) < len(${b}))`
    const never = sets.type.of.absent === 'never'
    return given(sets.taken, never ? all : sql`(${all} and ${nulls})`, { kind: 'bool' })
  },
})
