import { extremeN } from './extreme-n.js'

/** The least values. */
export const minN = extremeN('$minN', {
  form: '{ $minN: { input: <expression>, n: <number> } }',
  meaning: 'The n least values, the least first; null and missing are ignored.',
  example: {
    accumulator: { $minN: { input: '$n', n: 2 } },
    documents: [{ n: 7 }, { n: 2 }, { n: 5 }],
    result: [2, 5],
  },
})
