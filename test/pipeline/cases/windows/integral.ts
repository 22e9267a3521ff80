import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'the area so far',
    documents: [
      { x: 0, a: 2 },
      { x: 2, a: 4 },
      { x: 3, a: 0 },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: 1 },
          output: { r: { $integral: { input: '$a' }, window: { documents: ['unbounded', 'current'] } } },
        },
      },
      { $project: { r: 1 } },
    ],
    result: [{ r: 0 }, { r: 6 }, { r: 8 }],
  },
  {
    name: 'by hours',
    documents: [
      { d: { $date: '2026-01-01T00:00:00Z' }, a: 10 },
      { d: { $date: '2026-01-01T02:00:00Z' }, a: 16 },
    ],
    pipeline: [
      { $setWindowFields: { sortBy: { d: 1 }, output: { r: { $integral: { input: '$a', unit: 'hour' } } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: 26 }, { r: 26 }],
  },
  {
    name: 'a text is an error',
    documents: [{ x: 1, a: 'x' }],
    pipeline: [{ $setWindowFields: { sortBy: { x: 1 }, output: { r: { $integral: { input: '$a' } } } } }],
    error: '$integral needs a number as input',
  },
  {
    name: 'is the area below by a field that descends',
    documents: [1, 2, 1, 4].map((y, x) => ({ x, y })),
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: -1 },
          output: { r: { $integral: { input: { $subtract: [0, '$y'] } }, window: { documents: [0, 1] } } },
        },
      },
      { $sort: { x: 1 } },
      { $project: { r: 1 } },
    ],
    result: [0, 1.5, 1.5, 2.5].map(r => ({ r: { $numberDouble: String(r) } })),
  },
]
