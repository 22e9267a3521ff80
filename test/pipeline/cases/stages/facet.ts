import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'several pipelines over the same calls',
    calls: [{ score: 4, channel: 'chat' }, { score: 2, channel: 'phone' }, { channel: 'chat' }],
    pipeline: [
      {
        $facet: {
          total: [{ $count: 'calls' }],
          byChannel: [{ $group: { _id: '$channel', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
          best: [{ $sort: { score: -1 } }, { $limit: 1 }, { $project: { score: 1 } }],
          none: [{ $match: { score: 9 } }, { $project: { _id: 1 } }],
        },
      },
    ],
    result: [
      {
        total: [{ calls: 3 }],
        byChannel: [
          { _id: 'chat', n: 2 },
          { _id: 'phone', n: 1 },
        ],
        best: [{ _id: 'c0', score: 4 }],
        none: [],
      },
    ],
    wholeInEngine: true,
  },
  {
    name: 'one document even over nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $match: { a: 2 } }, { $facet: { n: [{ $count: 'n' }], all: [] } }],
    result: [{ n: [], all: [] }],
    wholeInEngine: true,
  },
  {
    name: 'stages after it read its arrays',
    calls: [{ score: 4 }, { score: 2 }],
    pipeline: [
      { $facet: { a: [{ $match: { score: { $gt: 3 } } }, { $count: 'n' }], b: [{ $count: 'n' }] } },
      { $project: { high: { $size: '$a' }, n: '$b.n' } },
    ],
    result: [{ high: 1, n: [2] }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a $facet inside',
    pipeline: [{ $facet: { a: [{ $facet: { b: [] } }] } }],
    error: 'can not stand inside a $facet',
  },
  {
    name: 'refuses $where inside',
    pipeline: [{ $facet: { a: [{ $match: { $where: '1' } }] } }],
    error: 'pipeline[0].$facet.a[0].$match.$where',
  },
  {
    name: 'refuses $lookup inside',
    pipeline: [{ $facet: { a: [{ $lookup: {} }] } }],
    error: 'it reads outside the calls',
  },
  { name: 'refuses no pipelines', pipeline: [{ $facet: {} }], error: '$facet takes an object of pipelines' },
  { name: 'refuses what is no array', pipeline: [{ $facet: { a: { $count: 'n' } } }], error: 'is an array of stages' },
  { name: 'refuses dotted names', pipeline: [{ $facet: { 'a.b': [] } }], error: 'holds a dot' },
]
