import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'finds a value',
    expression: { $in: ['$c', ['phone', 'chat']] },
    document: { c: 'chat' },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'does not find another',
    expression: { $in: ['$c', ['phone', 'chat']] },
    document: { c: 'sms' },
    result: false,
    wholeInEngine: true,
  },
  {
    name: 'looks into a field',
    expression: { $in: ['x', '$a'] },
    document: { a: ['x', 'y'] },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'takes 1 and 1.0 for one',
    expression: { $in: [1, '$a'] },
    document: { a: [{ $numberDouble: '1' }, 2.5] },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'does not find a missing value',
    documents: [{ c: 'chat' }, {}],
    pipeline: [{ $project: { _id: 0, value: { $in: ['$c', ['phone', 'chat']] } } }],
    result: [{ value: true }, { value: false }],
    wholeInEngine: true,
  },
  { name: 'finds null', expression: { $in: [null, [1, null]] }, result: true, wholeInEngine: true },
  { name: 'finds documents', expression: { $in: [{ $literal: { a: 1 } }, [{ $literal: { a: 1 } }]] }, result: true },
  {
    name: 'finds values of an open field',
    documents: [{ a: ['x', 1] }, { a: [] }],
    pipeline: [{ $project: { _id: 0, value: { $in: ['x', '$a'] } } }],
    result: [{ value: true }, { value: false }],
    wholeInEngine: true,
  },
  {
    name: 'finds open values',
    documents: [{ a: 'x' }, { a: 1 }, { a: null }, {}],
    pipeline: [{ $project: { _id: 0, value: { $in: ['$a', ['x', 'y']] } } }],
    result: [{ value: true }, { value: false }, { value: false }, { value: false }],
    wholeInEngine: true,
  },
  { name: 'refuses null', expression: { $in: ['x', '$a'] }, document: { a: null, b: 1 }, error: /not null$/ },
  {
    name: 'refuses a missing field',
    expression: { $in: ['x', '$nothing'] },
    document: { a: 1 },
    error: /not missing$/,
  },
  {
    name: 'refuses what is no array',
    expression: { $in: ['x', '$a'] },
    document: { a: 'secret' },
    error: /not string$/,
  },
  {
    name: 'refuses a missing array among others',
    documents: [{ a: ['x'] }, {}],
    pipeline: [{ $project: { _id: 0, value: { $in: ['x', '$a'] } } }],
    error: /not missing$/,
  },
  {
    name: 'refuses a scalar among arrays of an open field',
    documents: [{ a: [1] }, { a: 5 }],
    pipeline: [{ $project: { _id: 0, value: { $in: ['x', '$a'] } } }],
    error: /not int$/,
  },
  {
    name: 'nothing is in an array that stands in for one that is not there',
    documents: [{ a: ['x'], i: 1 }, { a: [], i: 2 }, { i: 3 }],
    pipeline: [
      { $sort: { i: 1 } },
      { $project: { _id: 0, is: { $in: ['x', { $ifNull: ['$a', []] }] }, size: { $size: { $ifNull: ['$a', []] } } } },
    ],
    result: [
      { is: true, size: 1 },
      { is: false, size: 0 },
      { is: false, size: 0 },
    ],
    wholeInEngine: true,
  },
]
