import { extremeN } from './extreme-n.js'

/** The greatest values. */
export const maxN = extremeN('$maxN', {
  form: '{ $maxN: { input: <expression>, n: <number> } }',
  meaning: 'The n greatest values, the greatest first; null and missing are ignored.',
  example: {
    accumulator: { $maxN: { input: '$n', n: 2 } },
    documents: [{ n: 7 }, { n: 2 }, { n: 5 }],
    result: [7, 5],
  },
})
