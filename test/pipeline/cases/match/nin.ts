import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'none of the values, missing stays',
    documents: [{ a: 1 }, { a: 2 }, {}, { a: null }],
    pipeline: [{ $match: { a: { $nin: [1] } } }],
    result: [{ a: 2 }, {}, { a: null }],
    wholeInEngine: true,
  },
  {
    name: 'with null, missing goes',
    documents: [{ a: 1 }, {}, { a: null }],
    pipeline: [{ $match: { a: { $nin: [null] } } }],
    result: [{ a: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'an empty list matches everything',
    documents: [{ a: 1 }, {}],
    pipeline: [{ $match: { a: { $nin: [] } } }],
    result: [{ a: 1 }, {}],
    wholeInEngine: true,
  },
  {
    name: 'over an array of documents',
    calls: [
      {
        signals: [
          { key: 'a', state: 'present' },
          { key: 'b', state: 'absent' },
        ],
      },
      { signals: [] },
      {},
    ],
    pipeline: [{ $match: { 'signals.key': { $nin: ['b'] } } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c1' }, { _id: 'c2' }],
    wholeInEngine: true,
  },
]
