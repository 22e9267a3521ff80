import { quantileOf } from './quantile-of.js'

/** The median of an array. */
export const medianOf = quantileOf('$median', {
  form: "{ $median: { input: <array>, method: 'approximate' } }",
  meaning:
    'The median of the numbers in an array, a double and exact: the lower of the two middle ones of an even count. Null when there are none.',
  example: {
    expression: { $median: { input: '$n', method: 'approximate' } },
    document: { n: [1, 7, 3] },
    result: 3,
  },
})
