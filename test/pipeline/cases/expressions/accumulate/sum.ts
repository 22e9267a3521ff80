import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'adds the elements of an array',
    expression: { $sum: '$a' },
    document: { a: [1, 2, 3] },
    result: 6,
    wholeInEngine: true,
  },
  {
    name: 'adds values side by side',
    expression: { $sum: ['$a', '$b', 'x'] },
    document: { a: 1, b: 2.5 },
    result: 3.5,
  },
  { name: 'is 0 of nothing', expression: { $sum: '$nothing' }, result: 0 },
  { name: 'does not enter nested arrays', expression: { $sum: [[1, 2], 3] }, result: 3 },
  {
    name: 'adds doubles with compensation',
    expression: { $sum: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1] },
    result: 1,
  },
]
