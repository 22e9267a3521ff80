import { covariance } from './covariance.js'

/** The covariance of two numbers of a sample. */
export const covarianceSamp = covariance('$covarianceSamp', {
  form: '{ $covarianceSamp: [<expression>, <expression>], window: { … } }',
  meaning:
    'The sample covariance of two numbers over the window; documents without both are passed over. Null below two documents.',
  example: {
    documents: [
      { a: 1, b: 2 },
      { a: 3, b: 6 },
    ],
    pipeline: [{ $setWindowFields: { output: { c: { $covarianceSamp: ['$a', '$b'] } } } }],
    result: [
      { a: 1, b: 2, c: 4 },
      { a: 3, b: 6, c: 4 },
    ],
  },
})
