import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is one of the numbers',
    expression: { $percentile: { input: '$a', p: [0, 0.5, 0.95, 1], method: 'approximate' } },
    document: { a: [4, 1, 3, 2] },
    result: [1, 2, 4, 4],
  },
  {
    name: 'is nulls of none',
    expression: { $percentile: { input: [], p: [0.5, 0.9], method: 'approximate' } },
    result: [null, null],
  },
  {
    name: 'refuses 95',
    expression: { $percentile: { input: '$a', p: [95], method: 'approximate' } },
    error: 'numbers from 0 to 1',
  },
]
