import type { Case } from '../../../support/pipeline-cases.js'

/** The documents of MongoDB's manual: prices of two stocks on four days. */
const prices = [
  ...[13, 15.4, 12, 11.7].map((price, day) => ({ stock: 'ABC', day, price: { $numberDouble: String(price) } })),
  ...[82, 94, 112, 97.3].map((price, day) => ({ stock: 'DEF', day, price: { $numberDouble: String(price) } })),
]

/** The average of each price, rounded: last digits are free. */
const averages = (by: object) => [
  {
    $setWindowFields: {
      partitionBy: '$stock',
      sortBy: { day: 1 },
      output: { r: { $expMovingAvg: { input: '$price', ...by } } },
    },
  },
  { $project: { r: { $round: ['$r', 9] } } },
]

const doubles = (numbers: readonly number[]) => numbers.map(r => ({ r: { $numberDouble: String(r) } }))

export const cases: readonly Case[] = [
  {
    name: 'by N, as in the manual',
    documents: prices,
    pipeline: averages({ N: 2 }),
    result: doubles([13, 14.6, 12.866666667, 12.088888889, 82, 90, 104.666666667, 99.755555556]),
    wholeInEngine: true,
  },
  {
    name: 'by alpha, as in the manual',
    documents: prices,
    pipeline: averages({ alpha: 0.75 }),
    result: doubles([13, 14.8, 12.7, 11.95, 82, 91, 106.75, 99.6625]),
    wholeInEngine: true,
  },
  {
    name: 'of one document is the document',
    documents: [{ i: 1, a: 3 }, { i: 2, a: 5 }, { i: 3 }, { i: 4, a: 1 }],
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', N: 1 } } } } },
      { $project: { r: 1 } },
    ],
    result: doubles([3, 5, 5, 1]),
    wholeInEngine: true,
  },
  {
    name: 'goes on over more documents than weigh anything',
    documents: Array.from({ length: 60 }, (_, i) => ({ i, ...(i % 7 === 3 ? {} : { a: i % 10 }) })),
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', alpha: 0.999 } } } } },
      { $match: { i: { $in: [0, 3, 10, 33, 34, 59] } } },
      { $project: { r: { $round: ['$r', 9] } } },
    ],
    result: doubles([0, 1.998999, 8.998998999, 2.998998009, 3.998998998, 7.998998999]),
    wholeInEngine: true,
  },
  {
    name: 'of numbers beside which others are nothing',
    documents: [
      { i: 1, a: 1e300 },
      { i: 2, a: 0 },
    ],
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', alpha: 0.5 } } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: 1e300 }, { r: 5e299 }],
  },
  {
    name: 'of calls, some without a score',
    calls: [
      { score: 2, created_dt: '2026-03-01T00:00:00Z' },
      { score: 4, created_dt: '2026-03-01T00:00:00Z' },
      { created_dt: '2026-03-02T00:00:00Z' },
    ],
    pipeline: [
      {
        $setWindowFields: { sortBy: { created_dt: 1 }, output: { r: { $expMovingAvg: { input: '$score', N: 3 } } } },
      },
      { $project: { _id: 0, r: 1 } },
    ],
    result: doubles([2, 3, 3]),
    wholeInEngine: true,
  },
  {
    name: 'by N',
    documents: [{ i: 1, a: 1 }, { i: 2, a: 4 }, { i: 3 }, { i: 4, a: 7 }],
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', N: 3 } } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: 1 }, { r: 2.5 }, { r: 2.5 }, { r: 4.75 }],
  },
  {
    name: 'null until there is a number',
    documents: [
      { i: 1, a: 'x' },
      { i: 2, a: 4 },
    ],
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', alpha: 0.1 } } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: null }, { r: 4 }],
  },
  {
    name: 'refuses both',
    pipeline: [
      { $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', N: 1, alpha: 0.5 } } } } },
    ],
    error: 'either N or alpha',
  },
  {
    name: 'refuses alpha 1',
    pipeline: [{ $setWindowFields: { sortBy: { i: 1 }, output: { r: { $expMovingAvg: { input: '$a', alpha: 1 } } } } }],
    error: 'between 0 and 1',
  },
]
