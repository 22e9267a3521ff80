import { sql } from '../../compile/sql.js'
import { someElements } from './some-elements.js'

/** The last elements. */
export const lastNElements = someElements({
  name: '$lastN',
  doc: {
    form: '{ $lastN: { n: <number>, input: <array> } }',
    meaning: 'The last n elements, or all where there are fewer.',
    example: {
      expression: { $lastN: { n: 2, input: '$words' } },
      document: { words: ['a', 'b', 'c'] },
      result: ['b', 'c'],
    },
  },
  evaluate: (list, n) => list.slice(-n),
  sql: (list, _, n) => sql`list_slice(${list}, greatest(len(${list}) - ${n}, 0) + 1, len(${list}))`,
})
