import { byOrder } from './by-order.js'

/** The output of the n documents that come last in an order. */
export const bottomN = byOrder('$bottomN', {
  form: '{ $bottomN: { n: <number>, sortBy: { <field>: 1 or -1, … }, output: <expression> } }',
  meaning: 'The output of the n documents that come last by sortBy, in that order; a missing output is null.',
  example: {
    accumulator: { $bottomN: { n: 2, sortBy: { n: -1 }, output: '$k' } },
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    result: ['c', 'a'],
  },
})
