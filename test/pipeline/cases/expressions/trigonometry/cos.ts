import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'works in radians',
    expression: { $cos: '$a' },
    document: { a: 1 },
    result: 0.5403023058681398,
    wholeInEngine: true,
  },
  { name: 'refuses infinity', expression: { $cos: { $numberDouble: 'Infinity' } }, error: '$cos takes finite numbers' },
  { name: 'keeps NaN', expression: { $cos: { $numberDouble: 'NaN' } }, result: { $numberDouble: 'NaN' } },
  { name: 'is null for null', expression: { $cos: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $cos: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $cos: '$a' },
    document: { a: 'secret' },
    error: '$cos takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $cos: '$a' } } }],
    error: /not string$/,
  },
]
