import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'is the deviation', expression: { $stdDevSamp: '$a' }, document: { a: [1, 2, 3] }, result: 1 },
  { name: 'is null of one', expression: { $stdDevSamp: [5] }, result: null },
]
