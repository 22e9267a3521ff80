import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'counts the documents',
    documents: [{ a: 1 }, {}, { a: null }],
    pipeline: [{ $count: 'calls' }],
    result: [{ calls: 3 }],
    wholeInEngine: true,
  },
  {
    name: 'gives no document where there are none',
    documents: [{ a: 1 }],
    pipeline: [{ $match: { a: 2 } }, { $count: 'calls' }],
    result: [],
    wholeInEngine: true,
  },
  ...['', '$x', 'a.b', '_id'].map(name => ({
    name: `refuses ${JSON.stringify(name)}`,
    pipeline: [{ $count: name }],
    error: '$count takes a field name without "$" and dots other than _id',
  })),
  { name: 'takes no object', pipeline: [{ $count: { n: 1 } }], error: '$count takes a field name' },
]
