import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'gives one of the numbers a share',
    documents: [
      { n: 1 },
      { n: 2 },
      { n: 3 },
      { n: 4 },
      { n: 5 },
      { n: 6 },
      { n: 7 },
      { n: 8 },
      { n: 9 },
      { n: 10 },
      { n: 11 },
      { n: 12 },
      { n: 13 },
      { n: 14 },
      { n: 15 },
      { n: 16 },
      { n: 17 },
      { n: 18 },
      { n: 19 },
      { n: 20 },
    ],
    pipeline: [
      {
        $group: {
          _id: null,
          value: { $percentile: { input: '$n', p: [0, 0.05, 0.5, 0.95, 1], method: 'approximate' } },
        },
      },
    ],
    result: [{ _id: null, value: [1, 1, 10, 19, 20] }],
    wholeInEngine: true,
  },
  {
    name: 'gives nulls of nothing',
    documents: [{ a: 1 }],
    pipeline: [
      { $group: { _id: null, value: { $percentile: { input: '$n', p: [0.5, 0.9], method: 'approximate' } } } },
    ],
    result: [{ _id: null, value: [null, null] }],
    wholeInEngine: true,
  },
  {
    name: 'refuses an empty list of shares',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $percentile: { input: '$n', p: [], method: 'approximate' } } } }],
    error: 'numbers from 0 to 1',
  },
  {
    name: 'refuses 95',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $percentile: { input: '$n', p: [95], method: 'approximate' } } } }],
    error: 'numbers from 0 to 1',
  },
]
