import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'goes to the next whole number',
    expression: { $floor: '$a' },
    document: { a: 2.9 },
    result: 2,
    wholeInEngine: true,
  },
  { name: 'does so below zero', expression: { $floor: '$a' }, document: { a: -2.5 }, result: -3, wholeInEngine: true },
  {
    name: 'gives a double for a double',
    expression: { $type: { $floor: '$a' } },
    document: { a: 2.9 },
    result: 'double',
    wholeInEngine: true,
  },
  {
    name: 'keeps ints',
    expression: { $type: { $floor: '$a' } },
    document: { a: 2 },
    result: 'int',
    wholeInEngine: true,
  },
  { name: 'keeps NaN', expression: { $floor: { $numberDouble: 'NaN' } }, result: { $numberDouble: 'NaN' } },
  { name: 'is null for null', expression: { $floor: '$a' }, document: { a: null }, result: null, wholeInEngine: true },
  { name: 'is null for a missing field', expression: { $floor: '$nothing' }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $floor: '$a' },
    document: { a: 'secret' },
    error: '$floor takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $floor: '$a' } } }],
    error: /not string$/,
  },
]
