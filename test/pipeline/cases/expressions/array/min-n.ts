import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the least',
    expression: { $minN: { n: 2, input: '$a' } },
    document: { a: [7, 9, 1] },
    result: [1, 7],
    wholeInEngine: true,
  },
  { name: 'goes by the order of types', expression: { $minN: { n: 3, input: ['b', 3, 'a'] } }, result: [3, 'a', 'b'] },
  { name: 'leaves null out', expression: { $minN: { n: 3, input: [null, 3] } }, result: [3] },
  {
    name: 'refuses null',
    expression: { $minN: { n: 1, input: '$a' } },
    document: { a: null, b: 1 },
    error: /not null$/,
  },
  {
    name: 'refuses a missing field',
    expression: { $minN: { n: 1, input: '$nothing' } },
    document: { a: 1 },
    error: /not missing$/,
  },
  {
    name: 'refuses what is no array',
    expression: { $minN: { n: 1, input: '$a' } },
    document: { a: 'secret' },
    error: /not string$/,
  },
  {
    name: 'refuses a missing array among others',
    documents: [{ a: ['x'] }, {}],
    pipeline: [{ $project: { _id: 0, value: { $minN: { n: 1, input: '$a' } } } }],
    error: /not missing$/,
  },
  {
    name: 'refuses a scalar among arrays of an open field',
    documents: [{ a: [1] }, { a: 5 }],
    pipeline: [{ $project: { _id: 0, value: { $minN: { n: 1, input: '$a' } } } }],
    error: /not int$/,
  },
]
