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
  {
    name: 'adds the doubles of a list, the int 0 where there are none',
    calls: [
      {
        scores: [
          { key: 'a', value: 0.5 },
          { key: 'b', value: 1 },
        ],
      },
      { scores: [] },
      {},
    ],
    pipeline: [
      { $project: { sum: { $sum: '$scores.value' }, strength: { $sum: '$signals.strength' } } },
      { $set: { type: { $type: '$sum' } } },
    ],
    result: [
      { _id: 'c0', sum: 1.5, strength: 0, type: 'double' },
      { _id: 'c1', sum: 0, strength: 0, type: 'int' },
      { _id: 'c2', sum: 0, strength: 0, type: 'int' },
    ],
    wholeInEngine: true,
  },
  {
    name: 'passes over elements that lack the field',
    calls: [
      {
        signals: [
          { key: 'a', state: 'present', strength: 0.25 },
          { key: 'b', state: 'absent' },
        ],
      },
    ],
    pipeline: [{ $match: { $expr: { $gt: [{ $sum: '$signals.strength' }, 0.2] } } }, { $count: 'n' }],
    result: [{ n: 1 }],
    wholeInEngine: true,
  },
  { name: 'is 0 of nothing', expression: { $sum: '$nothing' }, result: 0 },
  { name: 'does not enter nested arrays', expression: { $sum: [[1, 2], 3] }, result: 3 },
  {
    name: 'adds doubles with compensation',
    expression: { $sum: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1] },
    result: 1,
  },
  { name: 'is 0 of no operands', expression: { $sum: [] }, result: 0 },
]
