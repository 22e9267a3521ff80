import type { RuleSet } from './rule.js'

/** What operators make of values that do not suit them, and of edges. */
export const expressions: RuleSet = {
  title: 'Expressions',
  rules: [
    {
      name: 'truth',
      says: 'Only `false`, 0, null and missing count as false. `""`, `[]` and `{}` count as true.',
      example: {
        documents: [{ a: '' }, { a: [] }, { a: 0 }, { a: null }, {}],
        pipeline: [{ $project: { true: { $cond: ['$a', 'yes', 'no'] } } }],
        result: [{ true: 'yes' }, { true: 'yes' }, { true: 'no' }, { true: 'no' }, { true: 'no' }],
      },
    },
    {
      name: 'division',
      says: '`$divide` gives a double and fails on zero, and so does `$mod`. `$mod` has the sign of the dividend.',
      example: {
        documents: [{ a: -7, b: 3 }],
        pipeline: [
          { $project: { rest: { $mod: ['$a', '$b'] }, type: { $type: { $divide: [{ $add: ['$a', 1] }, '$b'] } } } },
        ],
        result: [{ rest: -1, type: 'double' }],
      },
    },
    {
      name: 'rounding',
      says: '`$round` takes a half to the even neighbour; `$toInt` and `$trunc` cut off.',
      example: {
        documents: [{ a: 2.5 }, { a: -1.5 }],
        pipeline: [{ $project: { round: { $round: ['$a'] }, cut: { $toInt: '$a' } } }],
        result: [
          { round: 2, cut: 2 },
          { round: -2, cut: -1 },
        ],
      },
    },
    {
      name: 'texts of null',
      says: '`$concat` with null is null; `$toUpper` and `$toLower` make `""` of null. They change the letters a to z only.',
      example: {
        documents: [{ a: 'Maß' }, {}],
        pipeline: [{ $project: { all: { $concat: ['$a', '!'] }, upper: { $toUpper: '$a' } } }],
        result: [
          { all: 'Maß!', upper: 'MAß' },
          { all: null, upper: '' },
        ],
      },
    },
    {
      name: 'values of the wrong type',
      says: 'An operator over a value that is not of its type fails, such as `$concat` of a number, `$size` of what is no array, `$strLenCP` of missing; and the whole pipeline with it. Guard with `$cond`, `$ifNull` or `$convert`.',
      example: {
        documents: [{ a: 5 }],
        pipeline: [{ $project: { n: { $size: '$a' } } }],
        error: '$size takes an array, not int',
      },
    },
    {
      name: 'elements out of range',
      says: '`$arrayElemAt` counts from the end when negative; beyond the ends there is nothing: the field is missing.',
      example: {
        documents: [{ a: [1, 2] }],
        pipeline: [{ $project: { last: { $arrayElemAt: ['$a', -1] }, beyond: { $arrayElemAt: ['$a', 2] } } }],
        result: [{ last: 2 }],
      },
    },
    {
      name: 'texts that start with $',
      says: 'In expressions a text that starts with `"$"` is a field path: put it in `$literal` where it is meant as text. In filters it is a text.',
      example: {
        documents: [{ a: '$b', b: 1 }],
        pipeline: [{ $match: { a: '$b' } }, { $project: { field: '$b', text: { $literal: '$b' } } }],
        result: [{ field: 1, text: '$b' }],
      },
    },
    {
      name: 'types and conversions',
      says: '`$type` of what is missing is `"missing"`. A conversion that can not be made fails; `$convert` gives `onError` for it, and `onNull` for null and missing.',
      example: {
        documents: [{ a: 'x' }],
        pipeline: [
          {
            $project: {
              type: { $type: '$nothing' },
              bad: { $convert: { input: '$a', to: 'int', onError: 0 } },
              none: { $convert: { input: '$nothing', to: 'int', onNull: -1 } },
            },
          },
        ],
        result: [{ type: 'missing', bad: 0, none: -1 }],
      },
    },
    {
      name: 'a single operand',
      says: 'An operator of one operand takes it with or without an array around it.',
      example: {
        documents: [{ a: -1 }],
        pipeline: [{ $project: { with: { $abs: ['$a'] }, without: { $abs: '$a' } } }],
        result: [{ with: 1, without: 1 }],
      },
    },
    {
      name: 'fields of elements',
      says: 'A path over an array gives an array of what its documents hold there; what is no document is left out.',
      example: {
        documents: [{ items: [1, { price: 11 }, {}, { price: 3 }] }],
        pipeline: [{ $project: { prices: '$items.price' } }],
        result: [{ prices: [11, 3] }],
      },
    },
  ],
}
