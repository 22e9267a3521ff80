import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'cuts at separators',
    expression: { $split: ['$a', '-'] },
    document: { a: 'en-US' },
    result: ['en', 'US'],
    wholeInEngine: true,
  },
  {
    name: 'keeps empty pieces',
    expression: { $split: ['$a', '-'] },
    document: { a: '-a-' },
    result: ['', 'a', ''],
    wholeInEngine: true,
  },
  {
    name: 'keeps a string without one whole',
    expression: { $split: ['$a', '-'] },
    document: { a: 'abc' },
    result: ['abc'],
    wholeInEngine: true,
  },
  {
    name: 'gives one empty piece of an empty string',
    expression: { $split: ['$a', '-'] },
    document: { a: '' },
    result: [''],
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $split: ['$a', '-'] },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'refuses an empty separator',
    expression: { $split: ['$a', ''] },
    document: { a: 'abc' },
    error: '$split takes a separator that is not empty',
  },
  {
    name: 'refuses a number',
    expression: { $split: ['$a', '-'] },
    document: { a: 5 },
    error: '$split takes strings, not int',
  },
  {
    name: 'its first and last piece are always there, those of a part of it are not',
    documents: [{ a: 'x y', i: 1 }, { i: 2 }],
    pipeline: [
      { $sort: { i: 1 } },
      {
        $project: {
          _id: 0,
          first: { $first: { $split: ['$a', ' '] } },
          last: { $arrayElemAt: [{ $split: ['$a', ' '] }, -1] },
          second: { $arrayElemAt: [{ $split: ['$a', '-'] }, 1] },
          none: { $first: { $slice: [{ $split: ['$a', ' '] }, 5, 2] } },
          other: { $first: { $setDifference: [{ $split: ['$a', ' '] }, ['x', 'y']] } },
        },
      },
    ],
    result: [
      { first: 'x', last: 'y' },
      { first: null, last: null, second: null, none: null, other: null },
    ],
  },
]
