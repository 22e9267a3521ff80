import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'counts documents',
    documents: [{ n: 2 }, {}],
    pipeline: [{ $group: { _id: null, value: { $count: {} } } }],
    result: [{ _id: null, value: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'takes nothing',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $count: 1 } } }],
    error: '$count takes an empty object',
  },
]
