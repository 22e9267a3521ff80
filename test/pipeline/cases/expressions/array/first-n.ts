import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the first elements',
    expression: { $firstN: { n: 2, input: '$a' } },
    document: { a: ['x', 'y', 'z'] },
    result: ['x', 'y'],
    wholeInEngine: true,
  },
  {
    name: 'takes all where there are fewer',
    expression: { $firstN: { n: 5, input: '$a' } },
    document: { a: ['x'] },
    result: ['x'],
    wholeInEngine: true,
  },
  {
    name: 'refuses 0',
    expression: { $firstN: { n: 0, input: '$a' } },
    document: { a: ['x'] },
    error: '$firstN takes a whole number from 1 as n',
  },
  { name: 'needs n', expression: { $firstN: { input: '$a' } }, error: '$firstN needs the argument n' },
  {
    name: 'refuses null',
    expression: { $firstN: { n: 1, input: '$a' } },
    document: { a: null, b: 1 },
    error: /not null$/,
  },
  {
    name: 'refuses a missing field',
    expression: { $firstN: { n: 1, input: '$nothing' } },
    document: { a: 1 },
    error: /not missing$/,
  },
  {
    name: 'refuses what is no array',
    expression: { $firstN: { n: 1, input: '$a' } },
    document: { a: 'secret' },
    error: /not string$/,
  },
  {
    name: 'refuses a missing array among others',
    documents: [{ a: ['x'] }, {}],
    pipeline: [{ $project: { _id: 0, value: { $firstN: { n: 1, input: '$a' } } } }],
    error: /not missing$/,
  },
  {
    name: 'refuses a scalar among arrays of an open field',
    documents: [{ a: [1] }, { a: 5 }],
    pipeline: [{ $project: { _id: 0, value: { $firstN: { n: 1, input: '$a' } } } }],
    error: /not int$/,
  },
  {
    name: 'refuses a number beyond 32 bits',
    documents: [{ a: [1, 2], s: 'text', n: 2_000_000_000 }],
    pipeline: [{ $project: { value: { $firstN: { n: 1e300, input: '$a' } } } }],
    error: '$firstN takes a whole number from 1 as n',
  },
]
