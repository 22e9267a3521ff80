import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'makes one of pairs with values of several types',
    documents: [{ a: 'abc123', b: 25 }, { b: 3 }],
    pipeline: [
      {
        $project: {
          r: {
            $arrayToObject: [
              [
                ['item', '$a'],
                ['qty', '$b'],
                ['none', '$c'],
                ['first', 1],
              ],
            ],
          },
        },
      },
      { $set: { qty: '$r.qty' } },
    ],
    result: [
      { r: { item: 'abc123', qty: 25, none: null, first: 1 }, qty: 25 },
      { r: { item: null, qty: 3, none: null, first: 1 }, qty: 3 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'lets the later value of written pairs win, in the place of the first',
    documents: [{ a: 1 }],
    pipeline: [
      {
        $project: {
          r: {
            $arrayToObject: [
              [
                ['x', '$a'],
                ['y', 2],
                ['x', 'z'],
              ],
            ],
          },
        },
      },
    ],
    result: [{ r: { x: 'z', y: 2 } }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a written pair of three',
    documents: [{ a: 1 }],
    pipeline: [
      {
        $project: {
          r: {
            $arrayToObject: [
              [
                ['x', '$a'],
                ['y', 2, 3],
              ],
            ],
          },
        },
      },
    ],
    error: 'all of one form',
  },
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
