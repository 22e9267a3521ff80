import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'of two numbers; documents without both are passed over',
    documents: [{ a: 1, b: 2 }, { a: 3, b: 6 }, { a: 5 }],
    pipeline: [{ $setWindowFields: { output: { r: { $covarianceSamp: ['$a', '$b'] } } } }, { $project: { r: 1 } }],
    result: [{ r: 4 }, { r: 4 }, { r: 4 }],
  },
  {
    name: 'of one document',
    documents: [{ a: 1, b: 2 }],
    pipeline: [{ $setWindowFields: { output: { r: { $covarianceSamp: ['$a', '$b'] } } } }, { $project: { r: 1 } }],
    result: [{ r: null }],
  },
  {
    name: 'takes two',
    pipeline: [{ $setWindowFields: { output: { r: { $covarianceSamp: '$a' } } } }],
    error: 'an array of two expressions',
  },
]
