import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is true when all are',
    expression: { $allElementsTrue: ['$a'] },
    document: { a: [1, 2] },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'is false with a 0',
    expression: { $allElementsTrue: ['$a'] },
    document: { a: [1, 0] },
    result: false,
    wholeInEngine: true,
  },
  { name: 'is true of none', expression: { $allElementsTrue: [[]] }, result: true },
  {
    name: 'looks into an open field',
    documents: [{ a: [1, 'x'] }, { a: [1, null] }],
    pipeline: [{ $project: { _id: 0, value: { $allElementsTrue: ['$a'] } } }],
    result: [{ value: true }, { value: false }],
    wholeInEngine: true,
  },
  {
    name: 'refuses what is no array',
    expression: { $allElementsTrue: ['$a'] },
    document: { a: null },
    error: '$allElementsTrue takes an array, not null',
  },
]
