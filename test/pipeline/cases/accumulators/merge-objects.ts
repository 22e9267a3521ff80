import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
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
