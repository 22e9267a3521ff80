import { quantile } from './quantile.js'

/** Percentiles. */
export const percentile = quantile('$percentile', {
  form: "{ $percentile: { input: <expression>, p: [<share>, …], method: 'approximate' } }",
  meaning:
    'For each share from 0 to 1 the least of the numbers that at least that share of them does not exceed, a double. MongoDB approximates over many documents; here it is exact. Over nothing all are null.',
  example: {
    accumulator: { $percentile: { input: '$n', p: [0.5, 0.95], method: 'approximate' } },
    documents: [{ n: 1 }, { n: 7 }, { n: 3 }],
    result: [3, 7],
  },
})
