import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'of two numbers; documents without both are passed over',
    documents: [{ a: 1, b: 2 }, { a: 3, b: 6 }, { a: 5 }],
    pipeline: [{ $setWindowFields: { output: { r: { $covariancePop: ['$a', '$b'] } } } }, { $project: { r: 1 } }],
    result: [{ r: 2 }, { r: 2 }, { r: 2 }],
  },
  {
    name: 'of one document',
    documents: [{ a: 1, b: 2 }],
    pipeline: [{ $setWindowFields: { output: { r: { $covariancePop: ['$a', '$b'] } } } }, { $project: { r: 1 } }],
    result: [{ r: 0 }],
  },
  {
    name: 'takes two',
    pipeline: [{ $setWindowFields: { output: { r: { $covariancePop: '$a' } } } }],
    error: 'an array of two expressions',
  },
]
