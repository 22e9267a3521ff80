import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'computes for each element',
    expression: { $map: { input: '$a', as: 'n', in: { $multiply: ['$$n', 2] } } },
    document: { a: [1, 2] },
    result: [2, 4],
    wholeInEngine: true,
  },
  {
    name: 'reads fields of elements',
    expression: { $map: { input: '$s', as: 's', in: '$$s.k' } },
    document: { s: [{ k: 'a' }, { k: 'b' }] },
    result: ['a', 'b'],
    wholeInEngine: true,
  },
  {
    name: 'gives null where the result is missing',
    documents: [{ s: [{ k: 'a' }, { j: 'b' }] }],
    pipeline: [{ $project: { _id: 0, value: { $map: { input: '$s', as: 's', in: '$$s.k' } } } }],
    result: [{ value: ['a', null] }],
    wholeInEngine: true,
  },
  {
    name: 'makes documents',
    expression: { $map: { input: '$a', as: 'n', in: { n: '$$n', double: { $multiply: ['$$n', 2] } } } },
    document: { a: [1] },
    result: [{ n: 1, double: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'sees the document around',
    expression: { $map: { input: '$a', in: { $add: ['$$this', '$b'] } } },
    document: { a: [1], b: 10 },
    result: [11],
    wholeInEngine: true,
  },
  {
    name: 'nests',
    expression: {
      $map: { input: '$a', as: 'x', in: { $map: { input: '$a', as: 'y', in: { $multiply: ['$$x', '$$y'] } } } },
    },
    document: { a: [1, 2] },
    result: [
      [1, 2],
      [2, 4],
    ],
    wholeInEngine: true,
  },
  {
    name: 'raises for an element',
    expression: { $map: { input: '$a', in: { $divide: [1, '$$this'] } } },
    document: { a: [1, 0] },
    error: '$divide can not divide by zero',
  },
  {
    name: 'raises for an element of a nested list',
    documents: [{ a: [[1], [0]] }],
    pipeline: [
      {
        $project: {
          _id: 0,
          value: { $map: { input: '$a', as: 'l', in: { $map: { input: '$$l', in: { $divide: [1, '$$this'] } } } } },
        },
      },
    ],
    error: '$divide can not divide by zero',
  },
  { name: 'needs in', expression: { $map: { input: '$a' } }, error: '$map needs the argument in' },
  {
    name: 'is null for null',
    expression: { $map: { input: '$a', in: '$$this' } },
    document: { a: null, b: 1 },
    result: null,
  },
  {
    name: 'is null for a missing field',
    expression: { $map: { input: '$nothing', in: '$$this' } },
    document: { a: 1 },
    result: null,
  },
  {
    name: 'refuses what is no array',
    expression: { $map: { input: '$a', in: '$$this' } },
    document: { a: 'secret' },
    error: /\$map takes .*array.*, not string$/,
  },
  {
    name: 'refuses it among arrays of an open field',
    documents: [{ a: [1] }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $map: { input: '$a', in: '$$this' } } } }],
    error: /not string$/,
  },
]
