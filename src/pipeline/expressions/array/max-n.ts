import { lambdaName } from '../../compile/lambda.js'
import { isSortable } from '../../compile/sortable.js'
import { sql } from '../../compile/sql.js'
import { compareValues } from '../../order.js'
import { someElements } from './some-elements.js'

/** The largest elements. */
export const maxNElements = someElements({
  name: '$maxN',
  doc: {
    form: '{ $maxN: { n: <number>, input: <array> } }',
    meaning: 'The n largest elements, the largest first; null elements are left out.',
    example: { expression: { $maxN: { n: 2, input: '$n' } }, document: { n: [7, 9, 1] }, result: [9, 7] },
  },
  evaluate: (list, n) =>
    list
      .filter(item => item !== null)
      .toSorted((a, b) => compareValues(b, a))
      .slice(0, n),
  sql: (list, of, n) => {
    if (!isSortable(of)) return undefined
    const element = lambdaName()
    const there = sql`list_filter(${list}, lambda ${element}: ${element} is not null)`
    return sql`list_slice(list_sort(${there}, 'DESC'), 1, ${n})`
  },
})
