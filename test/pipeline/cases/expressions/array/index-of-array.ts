import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'finds the first',
    expression: { $indexOfArray: ['$a', 'y'] },
    document: { a: ['x', 'y', 'y'] },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'is -1 without one',
    expression: { $indexOfArray: ['$a', 'z'] },
    document: { a: ['x'] },
    result: -1,
    wholeInEngine: true,
  },
  {
    name: 'begins at a place',
    expression: { $indexOfArray: ['$a', 'x', 1] },
    document: { a: ['x', 'y', 'x'] },
    result: 2,
  },
  {
    name: 'ends before a place',
    expression: { $indexOfArray: ['$a', 'x', 1, 2] },
    document: { a: ['x', 'y', 'x'] },
    result: -1,
  },
  {
    name: 'refuses a negative place',
    expression: { $indexOfArray: ['$a', 'x', -1] },
    document: { a: ['x'] },
    error: '$indexOfArray takes whole numbers from 0',
  },
  { name: 'is null for null', expression: { $indexOfArray: ['$a', 'x'] }, document: { a: null, b: 1 }, result: null },
  {
    name: 'is null for a missing field',
    expression: { $indexOfArray: ['$nothing', 'x'] },
    document: { a: 1 },
    result: null,
  },
  {
    name: 'refuses what is no array',
    expression: { $indexOfArray: ['$a', 'x'] },
    document: { a: 'secret' },
    error: /\$indexOfArray takes .*array.*, not string$/,
  },
  {
    name: 'refuses it among arrays of an open field',
    documents: [{ a: [1] }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $indexOfArray: ['$a', 'x'] } } }],
    error: /not string$/,
  },
]
