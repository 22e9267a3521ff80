import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'cuts toward zero', expression: { $trunc: '$a' }, document: { a: -2.9 }, result: -2, wholeInEngine: true },
  { name: 'cuts at a place', expression: { $trunc: ['$a', 2] }, document: { a: 3.149 }, result: 3.14 },
  {
    name: 'judges by the exact value: 1.15 is a little less',
    expression: { $trunc: ['$a', 2] },
    document: { a: 1.15 },
    result: 1.14,
  },
  { name: 'cuts left of the point', expression: { $trunc: ['$a', -1] }, document: { a: 19 }, result: 10 },
  {
    name: 'keeps ints',
    expression: { $type: { $trunc: '$a' } },
    document: { a: 19 },
    result: 'int',
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $trunc: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $trunc: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $trunc: '$a' },
    document: { a: 'secret' },
    error: '$trunc takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $trunc: '$a' } } }],
    error: /not string$/,
  },
]
