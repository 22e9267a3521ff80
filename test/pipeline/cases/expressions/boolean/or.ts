import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'is true when one is',
    expression: { $or: ['$a', '$b'] },
    document: { a: 0, b: 2 },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'is false when none is',
    expression: { $or: ['$a', '$b'] },
    document: { a: 0, b: null },
    result: false,
    wholeInEngine: true,
  },
  { name: 'is false over no operands', expression: { $or: [] }, result: false },
  {
    name: 'does not evaluate what comes after a true one',
    expression: { $or: ['$b', { $divide: [1, '$a'] }] },
    document: { a: 0, b: 1 },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'evaluates it after a false one',
    expression: { $or: ['$a', { $divide: [1, '$a'] }] },
    document: { a: 0 },
    error: '$divide can not divide by zero',
  },
]
