import { sql } from '../../compile/sql.js'
import { someElements } from './some-elements.js'

/** The first elements. */
export const firstNElements = someElements({
  name: '$firstN',
  doc: {
    form: '{ $firstN: { n: <number>, input: <array> } }',
    meaning: 'The first n elements, or all where there are fewer.',
    example: {
      expression: { $firstN: { n: 2, input: '$words' } },
      document: { words: ['a', 'b', 'c'] },
      result: ['a', 'b'],
    },
  },
  evaluate: (list, n) => list.slice(0, n),
  sql: (list, _, n) => sql`list_slice(${list}, 1, ${n})`,
})
