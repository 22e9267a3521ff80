import { extreme } from './extreme.js'

export const min = extreme('$min', {
  form: '{ $min: <expression> }',
  meaning: 'The least value in the order of types; null and missing are ignored, over nothing it is null.',
  example: { accumulator: { $min: '$n' }, documents: [{ n: 7 }, { n: 2 }, { n: null }], result: 2 },
})
