import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the first by an order of its own',
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    pipeline: [{ $group: { _id: null, value: { $top: { sortBy: { n: -1 }, output: '$k' } } } }],
    result: [{ _id: null, value: 'b' }],
    wholeInEngine: true,
  },
  {
    name: 'gives documents',
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    pipeline: [{ $group: { _id: null, value: { $top: { sortBy: { n: 1 }, output: { k: '$k', n: '$n' } } } } }],
    result: [{ _id: null, value: { k: 'a', n: 2 } }],
  },
  {
    name: 'gives null for a missing output',
    documents: [{ n: 2 }, { n: 1, k: 'b' }],
    pipeline: [{ $group: { _id: null, value: { $top: { sortBy: { n: -1 }, output: '$k' } } } }],
    result: [{ _id: null, value: null }],
    wholeInEngine: true,
  },
  {
    name: 'needs sortBy',
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    pipeline: [{ $group: { _id: null, value: { $top: { output: '$k' } } } }],
    error: '$top needs the argument sortBy',
  },
]
