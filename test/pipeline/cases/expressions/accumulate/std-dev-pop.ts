import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'is the deviation', expression: { $stdDevPop: '$a' }, document: { a: [2, 4] }, result: 1 },
  { name: 'is 0 of one', expression: { $stdDevPop: [5] }, result: 0 },
  { name: 'is null of none', expression: { $stdDevPop: ['x'] }, result: null },
]
