import { lambdaName } from '../../compile/lambda.js'
import { isSortable } from '../../compile/sortable.js'
import { sql } from '../../compile/sql.js'
import { compareValues } from '../../order.js'
import { someElements } from './some-elements.js'

/** The smallest elements. */
export const minNElements = someElements({
  name: '$minN',
  doc: {
    form: '{ $minN: { n: <number>, input: <array> } }',
    meaning: 'The n smallest elements, the smallest first; null elements are left out.',
    example: { expression: { $minN: { n: 2, input: '$n' } }, document: { n: [7, 9, 1] }, result: [1, 7] },
  },
  evaluate: (list, n) =>
    list
      .filter(item => item !== null)
      .toSorted((a, b) => compareValues(a, b))
      .slice(0, n),
  sql: (list, of, n) => {
    if (!isSortable(of)) return undefined
    const element = lambdaName()
    const there = sql`list_filter(${list}, lambda ${element}: ${element} is not null)`
    return sql`list_slice(list_sort(${there}, 'ASC'), 1, ${n})`
  },
})
