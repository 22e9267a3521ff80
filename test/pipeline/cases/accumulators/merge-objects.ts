import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'lays documents of one shape over one another in the order of a sort',
    documents: [
      { g: 'a', i: 2, d: { x: 1, y: 'p' } },
      { g: 'a', i: 1, d: { x: 5, y: 'q' } },
      { g: 'b', i: 1, d: { x: 7, y: 'r' } },
    ],
    pipeline: [{ $sort: { i: 1 } }, { $group: { _id: '$g', value: { $mergeObjects: '$d' } } }, { $sort: { _id: 1 } }],
    result: [
      { _id: 'a', value: { x: 1, y: 'p' } },
      { _id: 'b', value: { x: 7, y: 'r' } },
    ],
    wholeInEngine: true,
  },
  {
    name: 'keeps what the last document lacks, and nothing of what no document has',
    calls: [{ trust: { level: 'high', score: 0.9 } }, { trust: { level: 'low' } }, {}, { agent_name: 'Ben' }],
    pipeline: [
      { $group: { _id: '$agent_name', value: { $mergeObjects: '$trust' } } },
      { $project: { value: 1, level: '$value.level' } },
      { $sort: { _id: 1 } },
    ],
    result: [
      { _id: 'Ana', value: { level: 'low', score: 0.9 }, level: 'low' },
      { _id: 'Ben', value: {} },
    ],
    wholeInEngine: true,
  },
  {
    name: 'puts fields in the order in which they came, as in the manual',
    documents: [
      { item: 'A', quantity: { q1: 500, q2: 500 } },
      { item: 'A', quantity: { p1: 400, p2: 300 } },
      { item: 'B', quantity: { p3: 100 } },
      { item: 'B', quantity: { q1: 300 } },
    ],
    pipeline: [{ $group: { _id: '$item', value: { $mergeObjects: '$quantity' } } }, { $sort: { _id: 1 } }],
    result: [
      { _id: 'A', value: { q1: 500, q2: 500, p1: 400, p2: 300 } },
      { _id: 'B', value: { p3: 100, q1: 300 } },
    ],
  },
  {
    name: 'lays documents over one another',
    documents: [{ d: { a: 1, b: 1 } }, { d: { a: 1, b: 2 } }],
    pipeline: [{ $group: { _id: null, value: { $mergeObjects: '$d' } } }],
    result: [{ _id: null, value: { a: 1, b: 2 } }],
  },
  {
    name: 'passes null and missing over',
    documents: [{ d: { a: 1 } }, {}],
    pipeline: [{ $group: { _id: null, value: { $mergeObjects: '$d' } } }],
    result: [{ _id: null, value: { a: 1 } }],
  },
  {
    name: 'refuses what is no document',
    documents: [{ d: 5 }],
    pipeline: [{ $group: { _id: null, value: { $mergeObjects: '$d' } } }],
    error: '$mergeObjects takes documents, not int',
  },
]
