import { quantile } from './quantile.js'

export const median = quantile('$median', {
  form: "{ $median: { input: <expression>, method: 'approximate' } }",
  meaning:
    'The median of the numbers, a double: the lower of the two middle ones of an even count. MongoDB approximates over many documents; here it is exact. Over nothing it is null.',
  example: {
    accumulator: { $median: { input: '$n', method: 'approximate' } },
    documents: [{ n: 1 }, { n: 7 }, { n: 3 }],
    result: 3,
  },
})
