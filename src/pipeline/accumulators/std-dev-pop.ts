import { deviation } from './deviation.js'

/** The standard deviation of the numbers as a whole population. */
export const stdDevPop = deviation('$stdDevPop', {
  form: '{ $stdDevPop: <expression> }',
  meaning: 'The standard deviation of the numbers taken as a whole population; of one number 0, over nothing null.',
  example: { accumulator: { $stdDevPop: '$n' }, documents: [{ n: 2 }, { n: 4 }], result: 1 },
})
