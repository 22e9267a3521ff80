import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'draws so many',
    documents: [{ a: 1 }, { a: 2 }, { a: 3 }],
    pipeline: [{ $sample: { size: 2 } }, { $count: 'n' }],
    result: [{ n: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'draws each once, and all when there are fewer',
    documents: [{ a: 1 }, { a: 2 }, { a: 3 }],
    pipeline: [{ $sample: { size: 9 } }, { $sort: { a: 1 } }],
    result: [{ a: 1 }, { a: 2 }, { a: 3 }],
    wholeInEngine: true,
  },
  {
    name: 'the same draw in every facet',
    documents: Array.from({ length: 50 }, (_, a) => ({ a })),
    pipeline: [
      { $sample: { size: 5 } },
      { $facet: { x: [{ $group: { _id: 0, s: { $sum: '$a' } } }], y: [{ $group: { _id: 0, s: { $sum: '$a' } } }] } },
      { $project: { same: { $eq: ['$x', '$y'] } } },
    ],
    result: [{ same: true }],
  },
  { name: 'refuses 0', pipeline: [{ $sample: { size: 0 } }], error: 'size takes a whole number from 1' },
  { name: 'needs size', pipeline: [{ $sample: {} }], error: '$sample needs size' },
  { name: 'refuses a number', pipeline: [{ $sample: 5 }], error: '$sample takes an object' },
]
