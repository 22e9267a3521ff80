import { quantileOf } from './quantile-of.js'

/** Percentiles of an array. */
export const percentileOf = quantileOf('$percentile', {
  form: "{ $percentile: { input: <array>, p: [<share>, …], method: 'approximate' } }",
  meaning:
    'For each share from 0 to 1 the least of the numbers in an array that at least that share of them does not exceed, a double and exact. Nulls when there are none.',
  example: {
    expression: { $percentile: { input: '$n', p: [0.5], method: 'approximate' } },
    document: { n: [1, 7, 3] },
    result: [3],
  },
})
