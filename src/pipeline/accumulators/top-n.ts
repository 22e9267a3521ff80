import { byOrder } from './by-order.js'

/** The output of the n documents that come first in an order. */
export const topN = byOrder('$topN', {
  form: '{ $topN: { n: <number>, sortBy: { <field>: 1 or -1, … }, output: <expression> } }',
  meaning: 'The output of the n documents that come first by sortBy, in that order; a missing output is null.',
  example: {
    accumulator: { $topN: { n: 2, sortBy: { n: -1 }, output: '$k' } },
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    result: ['b', 'c'],
  },
})
