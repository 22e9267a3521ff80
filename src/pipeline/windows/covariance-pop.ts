import { covariance } from './covariance.js'

/** The covariance of two numbers of a whole population. */
export const covariancePop = covariance('$covariancePop', {
  form: '{ $covariancePop: [<expression>, <expression>], window: { … } }',
  meaning:
    'The population covariance of two numbers over the window; documents without both are passed over. Null where none has both.',
  example: {
    documents: [
      { a: 1, b: 2 },
      { a: 3, b: 6 },
    ],
    pipeline: [{ $setWindowFields: { output: { c: { $covariancePop: ['$a', '$b'] } } } }],
    result: [
      { a: 1, b: 2, c: 2 },
      { a: 3, b: 6, c: 2 },
    ],
  },
})
