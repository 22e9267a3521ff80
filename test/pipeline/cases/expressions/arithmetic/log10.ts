import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'is the logarithm', expression: { $log10: '$a' }, document: { a: 1000 }, result: 3, wholeInEngine: true },
  { name: 'refuses 0', expression: { $log10: '$a' }, document: { a: 0 }, error: '$log10 takes numbers above 0' },
  {
    name: 'refuses a negative number',
    expression: { $log10: '$a' },
    document: { a: -1 },
    error: '$log10 takes numbers above 0',
  },
  { name: 'keeps NaN', expression: { $log10: { $numberDouble: 'NaN' } }, result: { $numberDouble: 'NaN' } },
  { name: 'is null for null', expression: { $log10: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $log10: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $log10: '$a' },
    document: { a: 'secret' },
    error: '$log10 takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $log10: '$a' } } }],
    error: /not string$/,
  },
]
