import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'works in radians',
    expression: { $tan: '$a' },
    document: { a: 1 },
    result: 1.5574077246549023,
    wholeInEngine: true,
  },
  { name: 'refuses infinity', expression: { $tan: { $numberDouble: 'Infinity' } }, error: '$tan takes finite numbers' },
  { name: 'keeps NaN', expression: { $tan: { $numberDouble: 'NaN' } }, result: { $numberDouble: 'NaN' } },
  { name: 'is null for null', expression: { $tan: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $tan: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $tan: '$a' },
    document: { a: 'secret' },
    error: '$tan takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $tan: '$a' } } }],
    error: /not string$/,
  },
]
