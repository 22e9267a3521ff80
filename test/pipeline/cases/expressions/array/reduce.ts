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
    name: 'adds up a field of documents',
    calls: [
      {
        scores: [
          { key: 'a', value: 3.5 },
          { key: 'b', value: 1 },
        ],
      },
      { scores: [] },
      {},
    ],
    pipeline: [
      {
        $project: {
          sum: { $reduce: { input: '$scores', initialValue: 0, in: { $add: ['$$value', '$$this.value'] } } },
        },
      },
      { $set: { type: { $type: '$sum' } } },
    ],
    result: [
      { _id: 'c0', sum: 4.5, type: 'double' },
      { _id: 'c1', sum: 0, type: 'int' },
      { _id: 'c2', sum: null, type: 'null' },
    ],
    wholeInEngine: true,
  },
  {
    name: 'keeps the greatest',
    calls: [
      {
        scores: [
          { key: 'a', value: 3.5 },
          { key: 'b', value: 1 },
        ],
      },
      { scores: [] },
    ],
    pipeline: [
      {
        $project: {
          most: { $reduce: { input: '$scores', initialValue: null, in: { $max: ['$$value', '$$this.value'] } } },
        },
      },
    ],
    result: [
      { _id: 'c0', most: 3.5 },
      { _id: 'c1', most: null },
    ],
    wholeInEngine: true,
  },
  {
    name: 'finds whether one meets a condition',
    calls: [
      {
        signals: [
          { key: 'a', state: 'absent' },
          { key: 'b', state: 'present' },
        ],
      },
      { signals: [] },
    ],
    pipeline: [
      {
        $project: {
          any: {
            $reduce: {
              input: '$signals',
              initialValue: false,
              in: { $or: ['$$value', { $eq: ['$$this.state', 'present'] }] },
            },
          },
        },
      },
    ],
    result: [
      { _id: 'c0', any: true },
      { _id: 'c1', any: false },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a step that fails, after others that do not',
    calls: [
      {
        scores: [
          { key: 'a', value: 2 },
          { key: 'b', value: 0 },
        ],
      },
    ],
    pipeline: [
      {
        $project: {
          x: { $reduce: { input: '$scores', initialValue: 1, in: { $divide: ['$$value', '$$this.value'] } } },
        },
      },
    ],
    error: '$divide can not divide by zero',
  },
  {
    name: 'a start that fails, where there is no array',
    calls: [{}],
    pipeline: [
      {
        $project: {
          x: { $reduce: { input: '$scores', initialValue: { $divide: [1, { $size: [[]] }] }, in: '$$value' } },
        },
      },
    ],
    result: [{ _id: 'c0', x: null }],
    wholeInEngine: true,
  },
  {
    name: 'one inside another',
    calls: [
      {
        scores: [
          { key: 'a', value: 1.5 },
          { key: 'b', value: 2 },
        ],
      },
    ],
    pipeline: [
      {
        $project: {
          x: {
            $reduce: {
              input: '$scores',
              initialValue: 0,
              in: {
                $reduce: { input: '$scores', initialValue: '$$value', in: { $add: ['$$value', '$$this.value'] } },
              },
            },
          },
        },
      },
    ],
    result: [{ _id: 'c0', x: 7 }],
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
