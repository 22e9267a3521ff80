import { bound, lambdaName } from '../../compile/lambda.js'
import { sql } from '../../compile/sql.js'
import { given } from '../../compile/take.js'
import { isArray } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'
import { distinct } from './distinct.js'
import { takeSets } from './set-sql.js'

export const setDifference = eager({
  name: '$setDifference',
  doc: {
    form: '{ $setDifference: [<array>, <array>] }',
    meaning:
      'The different elements of the first array that are not in the second, in the order of the first. Null or missing makes it null.',
    example: { expression: { $setDifference: ['$a', ['b']] }, document: { a: ['c', 'b', 'c'] }, result: ['c'] },
  },
  arity: [2, 2],
  evaluate: (a, b) => {
    if (a === undefined || a === null || b === undefined || b === null) return null
    if (!isArray(a) || !isArray(b)) throw wrongType('$setDifference', 'arrays', isArray(a) ? b : a)
    const without = distinct(b)
    return [...distinct(a)].flatMap(([key, value]) => (without.has(key) ? [] : [value]))
  },
  sql: operands => {
    const sets = takeSets('$setDifference', operands, 'null')
    if (sets === undefined) return undefined
    const { names, around } = bound(sets.lists)
    const [a, b] = names
    if (a === undefined || b === undefined) return undefined
    const [item, place] = [lambdaName(), lambdaName()]
    // The first of equal elements stays: the engine's own list_distinct has no order.
    const first = sql`list_filter(${a}, lambda ${item}, ${place}: list_position(${a}, ${item}) = ${place} and not list_contains(${b}, ${item}))`
    return given(sets.taken, around(sql`(case when ${b} is null then null else ${first} end)`), sets.type)
  },
})
