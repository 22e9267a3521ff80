import { deviation } from './deviation.js'

/** The standard deviation of the numbers as a sample. */
export const stdDevSamp = deviation('$stdDevSamp', {
  form: '{ $stdDevSamp: <expression> }',
  meaning: 'The standard deviation of the numbers taken as a sample; of fewer than two numbers null.',
  example: { accumulator: { $stdDevSamp: '$n' }, documents: [{ n: 1 }, { n: 2 }, { n: 3 }], result: 1 },
})
