import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'sorts values',
    expression: { $sortArray: { input: '$a', sortBy: 1 } },
    document: { a: [3, 1, 2] },
    result: [1, 2, 3],
    wholeInEngine: true,
  },
  {
    name: 'sorts the other way',
    expression: { $sortArray: { input: '$a', sortBy: -1 } },
    document: { a: ['a', 'c', 'b'] },
    result: ['c', 'b', 'a'],
    wholeInEngine: true,
  },
  {
    name: 'sorts by the order of types',
    expression: { $sortArray: { input: ['a', null, 2], sortBy: 1 } },
    result: [null, 2, 'a'],
  },
  {
    name: 'sorts by a field',
    expression: { $sortArray: { input: '$s', sortBy: { n: -1 } } },
    document: { s: [{ n: 1 }, { n: 2 }] },
    result: [{ n: 2 }, { n: 1 }],
  },
  {
    name: 'sorts by two fields',
    expression: { $sortArray: { input: '$s', sortBy: { n: 1, k: -1 } } },
    document: {
      s: [
        { n: 1, k: 'a' },
        { n: 1, k: 'b' },
      ],
    },
    result: [
      { n: 1, k: 'b' },
      { n: 1, k: 'a' },
    ],
  },
  {
    name: 'refuses another direction',
    expression: { $sortArray: { input: '$a', sortBy: 2 } },
    error: 'the direction is 1 or -1',
  },
  {
    name: 'is null for null',
    expression: { $sortArray: { input: '$a', sortBy: 1 } },
    document: { a: null, b: 1 },
    result: null,
  },
  {
    name: 'is null for a missing field',
    expression: { $sortArray: { input: '$nothing', sortBy: 1 } },
    document: { a: 1 },
    result: null,
  },
  {
    name: 'refuses what is no array',
    expression: { $sortArray: { input: '$a', sortBy: 1 } },
    document: { a: 'secret' },
    error: /\$sortArray takes .*array.*, not string$/,
  },
  {
    name: 'refuses it among arrays of an open field',
    documents: [{ a: [1] }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $sortArray: { input: '$a', sortBy: 1 } } } }],
    error: /not string$/,
  },
]
