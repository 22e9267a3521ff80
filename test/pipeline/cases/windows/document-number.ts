import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'numbers equal documents too',
    documents: [{ i: 1 }, { i: 1 }, { i: 2 }],
    pipeline: [{ $setWindowFields: { sortBy: { i: 1 }, output: { r: { $documentNumber: {} } } } }],
    result: [
      { i: 1, r: 1 },
      { i: 1, r: 2 },
      { i: 2, r: 3 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'needs sortBy',
    pipeline: [{ $setWindowFields: { output: { r: { $documentNumber: {} } } } }],
    error: '$documentNumber needs sortBy',
  },
  {
    name: 'needs one field to sort by',
    pipeline: [{ $setWindowFields: { sortBy: { i: 1, j: 1 }, output: { r: { $documentNumber: {} } } } }],
    error: '$documentNumber needs sortBy to name one field only',
  },
]
