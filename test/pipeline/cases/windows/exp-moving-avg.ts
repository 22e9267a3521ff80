import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'by N',
    documents: [{ i: 1, a: 1 }, { i: 2, a: 4 }, { i: 3 }, { i: 4, a: 7 }],
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', N: 3 } } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: 1 }, { r: 2.5 }, { r: 2.5 }, { r: 4.75 }],
  },
  {
    name: 'null until there is a number',
    documents: [
      { i: 1, a: 'x' },
      { i: 2, a: 4 },
    ],
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', alpha: 0.1 } } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: null }, { r: 4 }],
  },
  {
    name: 'refuses both',
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', N: 1, alpha: 0.5 } } } } },
    ],
    error: 'either N or alpha',
  },
  {
    name: 'refuses alpha 1',
    pipeline: [{ $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', alpha: 1 } } } } }],
    error: 'between 0 and 1',
  },
]
