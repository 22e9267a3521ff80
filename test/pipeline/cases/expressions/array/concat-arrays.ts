import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'joins arrays',
    expression: { $concatArrays: ['$a', '$b'] },
    document: { a: ['x'], b: ['y', 'z'] },
    result: ['x', 'y', 'z'],
    wholeInEngine: true,
  },
  {
    name: 'joins with a constant',
    expression: { $concatArrays: ['$a', ['y']] },
    document: { a: ['x'] },
    result: ['x', 'y'],
    wholeInEngine: true,
  },
  {
    name: 'joins an empty one',
    expression: { $concatArrays: ['$a', []] },
    document: { a: ['x'] },
    result: ['x'],
    wholeInEngine: true,
  },
  {
    name: 'joins different types',
    expression: { $concatArrays: ['$a', [1]] },
    document: { a: ['x'] },
    result: ['x', 1],
  },
  {
    name: 'is null when one is missing',
    documents: [{ a: ['x'], b: ['y'] }, { a: ['x'] }],
    pipeline: [{ $project: { _id: 0, value: { $concatArrays: ['$a', '$b'] } } }],
    result: [{ value: ['x', 'y'] }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a string before a missing one',
    expression: { $concatArrays: ['$a', '$nothing'] },
    document: { a: 'x' },
    error: '$concatArrays takes arrays, not string',
  },
  { name: 'is [] over no operands', expression: { $concatArrays: [] }, result: [] },
]
