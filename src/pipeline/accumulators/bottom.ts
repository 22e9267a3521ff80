import { byOrder } from './by-order.js'

/** The output of the document that comes last in an order. */
export const bottom = byOrder('$bottom', {
  form: '{ $bottom: { sortBy: { <field>: 1 or -1, … }, output: <expression> } }',
  meaning: 'The output of the document that comes last by sortBy; a missing output is null.',
  example: {
    accumulator: { $bottom: { sortBy: { n: -1 }, output: '$k' } },
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    result: 'a',
  },
})
