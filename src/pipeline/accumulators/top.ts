import { byOrder } from './by-order.js'

/** The output of the document that comes first in an order. */
export const top = byOrder('$top', {
  form: '{ $top: { sortBy: { <field>: 1 or -1, … }, output: <expression> } }',
  meaning: 'The output of the document that comes first by sortBy; a missing output is null.',
  example: {
    accumulator: { $top: { sortBy: { n: -1 }, output: '$k' } },
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    result: 'b',
  },
})
