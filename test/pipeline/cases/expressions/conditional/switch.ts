import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'takes the first true branch',
    expression: {
      $switch: {
        branches: [
          { case: { $gt: ['$a', 10] }, then: 'high' },
          { case: { $gt: ['$a', 5] }, then: 'mid' },
        ],
        default: 'low',
      },
    },
    document: { a: 7 },
    result: 'mid',
    wholeInEngine: true,
  },
  {
    name: 'takes the default',
    expression: { $switch: { branches: [{ case: { $gt: ['$a', 10] }, then: 'high' }], default: 'low' } },
    document: { a: 7 },
    result: 'low',
    wholeInEngine: true,
  },
  {
    name: 'raises without a default',
    expression: { $switch: { branches: [{ case: { $gt: ['$a', 10] }, then: 'high' }] } },
    document: { a: 7 },
    error: '$switch found no branch',
  },
  {
    name: 'does not evaluate branches not taken',
    expression: { $switch: { branches: [{ case: { $eq: ['$a', 0] }, then: 0 }], default: { $divide: [1, '$a'] } } },
    document: { a: 0 },
    result: 0,
    wholeInEngine: true,
  },
  {
    name: 'does not evaluate cases behind the true one',
    expression: {
      $switch: {
        branches: [
          { case: true, then: 1 },
          { case: { $divide: [1, '$a'] }, then: 2 },
        ],
        default: 3,
      },
    },
    document: { a: 0 },
    result: 1,
    wholeInEngine: true,
  },
  { name: 'needs branches', expression: { $switch: { branches: [], default: 1 } }, error: 'at least one branch' },
  {
    name: 'names what it does not know',
    expression: { $switch: { branches: [{ when: 1, then: 2 }] } },
    error: 'The argument of $switch "when" is not known',
  },
]
