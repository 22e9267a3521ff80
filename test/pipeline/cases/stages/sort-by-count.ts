import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'sorts values by how often they occur',
    calls: [{ channel: 'chat' }, { channel: 'phone' }, { channel: 'phone' }],
    pipeline: [{ $sortByCount: '$channel' }],
    result: [
      { _id: 'phone', count: 2 },
      { _id: 'chat', count: 1 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'missing and null count as null',
    documents: [{ a: null }, {}, { a: 1 }],
    pipeline: [{ $sortByCount: '$a' }],
    result: [
      { _id: null, count: 2 },
      { _id: 1, count: 1 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'an expression',
    documents: [{ a: 1 }, { a: 5 }, { a: 6 }],
    pipeline: [{ $sortByCount: { $gt: ['$a', 3] } }],
    result: [
      { _id: true, count: 2 },
      { _id: false, count: 1 },
    ],
    wholeInEngine: true,
  },
  { name: 'refuses a plain text', pipeline: [{ $sortByCount: 'a' }], error: '$sortByCount takes a field such as' },
  {
    name: 'refuses an object without operator',
    pipeline: [{ $sortByCount: { a: 1 } }],
    error: '$sortByCount takes a field such as',
  },
]
