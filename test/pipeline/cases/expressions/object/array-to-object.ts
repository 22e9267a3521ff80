import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'makes a document of k and v',
    expression: { $arrayToObject: '$a' },
    document: { a: [{ k: 'x', v: 1 }] },
    result: { x: 1 },
  },
  {
    name: 'makes one of pairs',
    expression: {
      $arrayToObject: {
        $literal: [
          ['x', 1],
          ['y', 2],
        ],
      },
    },
    result: { x: 1, y: 2 },
  },
  {
    name: 'lets the later value win',
    expression: {
      $arrayToObject: {
        $literal: [
          ['x', 1],
          ['x', 2],
        ],
      },
    },
    result: { x: 2 },
  },
  { name: 'is null for null', expression: { $arrayToObject: null }, result: null },
  {
    name: 'refuses mixed forms',
    expression: { $arrayToObject: { $literal: [['x', 1], { k: 'y', v: 2 }] } },
    error: 'all of one form',
  },
  {
    name: 'refuses a name that is no string',
    expression: { $arrayToObject: { $literal: [[1, 1]] } },
    error: '$arrayToObject takes strings as field names',
  },
  {
    name: 'refuses __proto__',
    expression: { $arrayToObject: { $literal: [['__proto__', 1]] } },
    error: 'does not take __proto__ as a field name',
  },
  {
    name: 'refuses what is no array',
    expression: { $arrayToObject: '$a' },
    document: { a: 'secret' },
    error: '$arrayToObject takes an array, not string',
  },
]
