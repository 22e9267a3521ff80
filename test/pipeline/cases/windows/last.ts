import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'of the whole partition',
    documents: [
      { i: 2, a: 'y' },
      { i: 1, a: 'x' },
      { i: 3, a: 'z' },
    ],
    pipeline: [{ $setWindowFields: { sortBy: { i: 1 }, output: { r: { $last: '$a' } } } }, { $project: { r: 1 } }],
    result: [{ r: 'z' }, { r: 'z' }, { r: 'z' }],
    wholeInEngine: true,
  },
  {
    name: 'of a window, null where it is empty',
    documents: [
      { i: 1, a: 'x' },
      { i: 2, a: 'y' },
    ],
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $last: '$a', window: { documents: [1, 1] } } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: 'y' }, { r: null }],
  },
  {
    name: 'needs sortBy',
    pipeline: [{ $setWindowFields: { output: { r: { $last: '$a' } } } }],
    error: '$last needs sortBy',
  },
]
