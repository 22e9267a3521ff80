import { extreme } from './extreme.js'

export const max = extreme('$max', {
  form: '{ $max: <expression> }',
  meaning: 'The greatest value in the order of types; null and missing are ignored, over nothing it is null.',
  example: { accumulator: { $max: '$n' }, documents: [{ n: 7 }, { n: 2 }, { n: null }], result: 7 },
})
