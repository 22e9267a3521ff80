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
    error: 'is a whole number from 1',
  },
  {
    name: 'keeps nulls and missing outputs in their place, in an order of several kinds',
    documents: [
      { k: 1, n: 2, s: 'a' },
      { n: 2, s: 'b' },
      { k: 3, n: 9, s: 'a' },
      { k: 4, s: 'a' },
    ],
    pipeline: [
      {
        $group: {
          _id: null,
          least: { $topN: { n: 3, sortBy: { n: 1, s: -1 }, output: '$k' } },
          most: { $topN: { n: 2, sortBy: { n: -1, s: 1 }, output: { k: '$k', s: '$s' } } },
          last: { $bottomN: { n: 2, sortBy: { n: -1, s: 1 }, output: '$s' } },
          many: { $topN: { n: 1000, sortBy: { n: -1, s: 1 }, output: '$s' } },
        },
      },
    ],
    result: [
      {
        _id: null,
        least: [4, null, 1],
        most: [
          { k: 3, s: 'a' },
          { k: 1, s: 'a' },
        ],
        last: ['b', 'a'],
        many: ['a', 'a', 'b', 'a'],
      },
    ],
    wholeInEngine: true,
  },
  {
    name: 'keeps as many as the key of the group says',
    documents: [1, 2, 3].map(v => ({ s: 'CA', v })).concat([7, 8].map(v => ({ s: 'NY', v }))),
    pipeline: [
      {
        $group: {
          _id: { state: '$s' },
          value: { $topN: { n: { $cond: [{ $eq: ['$state', 'CA'] }, 2, 1] }, sortBy: { v: -1 }, output: '$v' } },
        },
      },
    ],
    result: [
      { _id: { state: 'CA' }, value: [3, 2] },
      { _id: { state: 'NY' }, value: [8] },
    ],
  },
  {
    name: 'fails where the key says no number',
    documents: [{ s: 'CA', v: 1 }],
    pipeline: [{ $group: { _id: '$s', value: { $topN: { n: '$state', sortBy: { v: 1 }, output: '$v' } } } }],
    error: '$topN needs a whole number from 1 to 1000000 as n',
  },
  {
    name: 'takes only a constant in $bucketAuto',
    pipeline: [
      {
        $bucketAuto: {
          groupBy: '$s',
          buckets: 2,
          output: { value: { $topN: { n: '$n', sortBy: { v: 1 }, output: '$v' } } },
        },
      },
    ],
    error: 'is a whole number from 1 to 1000000',
  },
]
