import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the first in order',
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    pipeline: [{ $group: { _id: null, value: { $topN: { n: 2, sortBy: { n: -1 }, output: '$k' } } } }],
    result: [{ _id: null, value: ['b', 'c'] }],
    wholeInEngine: true,
  },
  {
    name: 'takes all where there are fewer',
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    pipeline: [{ $group: { _id: null, value: { $topN: { n: 9, sortBy: { n: 1 }, output: '$k' } } } }],
    result: [{ _id: null, value: ['a', 'c', 'b'] }],
    wholeInEngine: true,
  },
  {
    name: 'refuses 0',
    documents: [
      { k: 'a', n: 2 },
      { k: 'b', n: 7 },
      { k: 'c', n: 5 },
    ],
    pipeline: [{ $group: { _id: null, value: { $topN: { n: 0, sortBy: { n: 1 }, output: '$k' } } } }],
    error: 'constant whole number from 1',
  },
]
