import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is $replaceRoot in short',
    documents: [{ _id: 1, a: { b: 1 } }],
    pipeline: [{ $replaceWith: '$a' }],
    result: [{ b: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'computes the document',
    documents: [{ a: 2 }],
    pipeline: [{ $replaceWith: { twice: { $multiply: ['$a', 2] } } }],
    result: [{ twice: 4 }],
    wholeInEngine: true,
  },
  {
    name: 'an array is an error',
    documents: [{ a: [1] }],
    pipeline: [{ $replaceWith: '$a' }],
    error: '$replaceWith needs a document as the new root, not array',
  },
  { name: 'refuses a constant', pipeline: [{ $replaceWith: 'x' }], error: 'needs a document' },
]
