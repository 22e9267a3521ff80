import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'adds up',
    expression: { $reduce: { input: '$a', initialValue: 0, in: { $add: ['$$value', '$$this'] } } },
    document: { a: [1, 2, 3] },
    result: 6,
  },
  {
    name: 'gives the start over nothing',
    expression: { $reduce: { input: '$a', initialValue: 'x', in: '$$this' } },
    document: { a: [], b: 1 },
    result: 'x',
  },
  {
    name: 'builds documents',
    expression: { $reduce: { input: ['a', 'b'], initialValue: [], in: { $concatArrays: [['$$this'], '$$value'] } } },
    result: ['b', 'a'],
  },
  {
    name: 'refuses a string that doubles at each step',
    expression: { $reduce: { input: { $range: [0, 60] }, initialValue: 'x', in: { $concat: ['$$value', '$$value'] } } },
    error: /longer than 16 MiB$/,
  },
  {
    name: 'refuses an array that doubles at each step',
    expression: {
      $reduce: { input: { $range: [0, 60] }, initialValue: [1], in: { $concatArrays: ['$$value', '$$value'] } },
    },
    error: /more than 1000000 items$|larger than 16 MiB$/,
  },
  {
    name: 'refuses a document that holds itself twice',
    expression: { $reduce: { input: { $range: [0, 60] }, initialValue: 'x', in: { a: '$$value', b: '$$value' } } },
    error: '$reduce makes a value larger than 16 MiB',
  },
  {
    name: 'refuses to nest without end',
    expression: { $reduce: { input: { $range: [0, 100000] }, initialValue: 'x', in: { a: '$$value' } } },
    error: '$reduce makes a value nested deeper than 100 levels',
  },
  {
    name: 'is null for null',
    expression: { $reduce: { input: '$a', initialValue: 0, in: '$$this' } },
    document: { a: null, b: 1 },
    result: null,
  },
  {
    name: 'is null for a missing field',
    expression: { $reduce: { input: '$nothing', initialValue: 0, in: '$$this' } },
    document: { a: 1 },
    result: null,
  },
  {
    name: 'refuses what is no array',
    expression: { $reduce: { input: '$a', initialValue: 0, in: '$$this' } },
    document: { a: 'secret' },
    error: /\$reduce takes .*array.*, not string$/,
  },
  {
    name: 'refuses it among arrays of an open field',
    documents: [{ a: [1] }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $reduce: { input: '$a', initialValue: 0, in: '$$this' } } } }],
    error: /not string$/,
  },
]
