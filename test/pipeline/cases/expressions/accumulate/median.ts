import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is the lower of the middle',
    expression: { $median: { input: '$a', method: 'approximate' } },
    document: { a: [4, 1, 3, 2] },
    result: 2,
  },
  {
    name: 'leaves out what is no number',
    expression: { $median: { input: ['x', 5], method: 'approximate' } },
    result: 5,
  },
  { name: 'is null of none', expression: { $median: { input: [], method: 'approximate' } }, result: null },
  { name: 'knows one method', expression: { $median: { input: '$a', method: 'exact' } }, error: 'is "approximate"' },
]
