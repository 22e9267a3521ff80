import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'divides ints to a double',
    expression: { $divide: ['$a', '$b'] },
    document: { a: 7, b: 2 },
    result: 3.5,
    wholeInEngine: true,
  },
  {
    name: 'gives a double where it divides evenly',
    expression: { $type: { $divide: ['$a', 2] } },
    document: { a: 4 },
    result: 'double',
    wholeInEngine: true,
  },
  {
    name: 'refuses to divide by zero',
    expression: { $divide: ['$a', '$b'] },
    document: { a: 1, b: 0 },
    error: '$divide can not divide by zero',
  },
  {
    name: 'refuses to divide by a constant zero',
    expression: { $divide: ['$a', 0] },
    document: { a: 1 },
    error: '$divide can not divide by zero',
  },
  {
    name: 'does not divide null by zero',
    expression: { $divide: ['$a', '$b'] },
    document: { a: null, b: 0 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'refuses where one of many divides by zero',
    documents: [
      { a: 1, b: 1 },
      { a: 1, b: 0 },
    ],
    pipeline: [{ $project: { _id: 0, value: { $divide: ['$a', '$b'] } } }],
    error: '$divide can not divide by zero',
  },
  {
    name: 'raises for a row that a later stage would drop',
    documents: [
      { a: 1, b: 0, k: 1 },
      { a: 1, b: 1, k: 2 },
    ],
    pipeline: [{ $project: { k: 1, q: { $divide: ['$a', '$b'] } } }, { $match: { k: 2 } }],
    error: '$divide can not divide by zero',
  },
  {
    name: 'raises nothing for a row that an earlier stage drops',
    documents: [
      { a: 1, b: 0, k: 1 },
      { a: 1, b: 1, k: 2 },
    ],
    pipeline: [{ $match: { k: 2 } }, { $project: { _id: 0, q: { $divide: ['$a', '$b'] } } }],
    result: [{ q: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'raises where no document is left',
    documents: [{ a: 1, b: 0 }],
    pipeline: [{ $project: { q: { $divide: ['$a', '$b'] } } }, { $match: { q: 5 } }],
    error: '$divide can not divide by zero',
  },
  {
    name: 'raises inside an accumulator',
    documents: [{ a: 1, b: 0 }],
    pipeline: [{ $group: { _id: null, q: { $sum: { $divide: ['$a', '$b'] } } } }],
    error: '$divide can not divide by zero',
  },
  {
    name: 'raises inside a group key',
    documents: [{ a: 1, b: 0 }],
    pipeline: [{ $group: { _id: { $divide: ['$a', '$b'] } } }],
    error: '$divide can not divide by zero',
  },
  {
    name: 'raises in $expr',
    documents: [{ a: 1, b: 0 }],
    pipeline: [{ $match: { $expr: { $gt: [{ $divide: ['$a', '$b'] }, 1] } } }],
    error: '$divide can not divide by zero',
  },
  {
    name: 'divides infinity',
    expression: { $divide: [{ $numberDouble: 'Infinity' }, 2] },
    result: { $numberDouble: 'Infinity' },
    wholeInEngine: true,
  },
  { name: 'takes exactly two operands', expression: { $divide: [1, 2, 3] }, error: '$divide takes 2 operands, not 3' },
  {
    name: 'divides numbers of an open field',
    documents: [{ a: 1 }, { a: 2.5 }, {}],
    pipeline: [{ $project: { _id: 0, value: { $divide: ['$a', 2] } } }],
    result: [{ value: 0.5 }, { value: 1.25 }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $divide: ['$a', 2] },
    document: { a: 'secret' },
    error: '$divide takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $divide: ['$a', 2] } } }],
    error: /not string$/,
  },
]
