import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes a dollar as it is',
    expression: { $literal: '$5' },
    document: { a: 1 },
    result: '$5',
    wholeInEngine: true,
  },
  {
    name: 'takes a number as a value',
    expression: { $literal: 1 },
    document: { a: 1 },
    result: 1,
    wholeInEngine: true,
  },
  { name: 'takes a document as a value', expression: { $literal: { $add: [1, 2] } }, result: { $add: [1, 2] } },
  {
    name: 'compares with a name that begins with a dollar',
    expression: { $eq: ['$a', { $literal: '$ana' }] },
    document: { a: '$ana' },
    result: true,
    wholeInEngine: true,
  },
]
