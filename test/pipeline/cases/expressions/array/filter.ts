import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'keeps what meets the condition',
    expression: { $filter: { input: '$a', as: 'n', cond: { $gt: ['$$n', 2] } } },
    document: { a: [1, 3, 5] },
    result: [3, 5],
    wholeInEngine: true,
  },
  {
    name: 'calls the element $$this without a name',
    expression: { $filter: { input: '$a', cond: { $eq: ['$$this', 'x'] } } },
    document: { a: ['x', 'y'] },
    result: ['x'],
    wholeInEngine: true,
  },
  {
    name: 'keeps documents',
    expression: { $filter: { input: '$s', as: 's', cond: { $eq: ['$$s.state', 'present'] } } },
    document: {
      s: [
        { k: 'a', state: 'present' },
        { k: 'b', state: 'absent' },
      ],
    },
    result: [{ k: 'a', state: 'present' }],
    wholeInEngine: true,
  },
  {
    name: 'sees the document around',
    expression: { $filter: { input: '$a', cond: { $gt: ['$$this', '$least'] } } },
    document: { a: [1, 3, 5], least: 2 },
    result: [3, 5],
    wholeInEngine: true,
  },
  {
    name: 'stops at the limit',
    expression: { $filter: { input: '$a', cond: { $gt: ['$$this', 1] }, limit: 1 } },
    document: { a: [1, 3, 5] },
    result: [3],
    wholeInEngine: true,
  },
  {
    name: 'refuses limit 0',
    expression: { $filter: { input: '$a', cond: true, limit: 0 } },
    document: { a: [1] },
    error: '$filter takes a whole number from 1 as limit',
  },
  {
    name: 'raises for an element',
    expression: { $filter: { input: '$a', cond: { $divide: [1, '$$this'] } } },
    document: { a: [1, 0] },
    error: '$divide can not divide by zero',
  },
  {
    name: 'does not know other variables',
    expression: { $filter: { input: '$a', as: 's', cond: '$$t' } },
    document: { a: [1] },
    error: /The variable "\$\$t" is not known/,
  },
  {
    name: 'refuses a name with a capital',
    expression: { $filter: { input: '$a', as: 'ROOT', cond: true } },
    document: { a: [1] },
    error: "a variable's name begins with a small letter",
  },
  {
    name: 'filters an open field',
    documents: [{ a: [1, 'x', null] }, { a: [] }, {}],
    pipeline: [{ $project: { _id: 0, value: { $filter: { input: '$a', cond: { $isNumber: '$$this' } } } } }],
    result: [{ value: [1] }, { value: [] }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $filter: { input: '$a', cond: true } },
    document: { a: null, b: 1 },
    result: null,
  },
  {
    name: 'is null for a missing field',
    expression: { $filter: { input: '$nothing', cond: true } },
    document: { a: 1 },
    result: null,
  },
  {
    name: 'refuses what is no array',
    expression: { $filter: { input: '$a', cond: true } },
    document: { a: 'secret' },
    error: /\$filter takes .*array.*, not string$/,
  },
  {
    name: 'refuses it among arrays of an open field',
    documents: [{ a: [1] }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $filter: { input: '$a', cond: true } } } }],
    error: /not string$/,
  },
  {
    name: 'refuses a limit beyond 32 bits',
    documents: [{ a: [1, 2], s: 'text', n: 2_000_000_000 }],
    pipeline: [{ $project: { value: { $filter: { input: '$a', cond: true, limit: 1e300 } } } }],
    error: '$filter takes a whole number from 1 as limit',
  },
]
