import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'gives the remainder', expression: { $mod: ['$a', 3] }, document: { a: 7 }, result: 1, wholeInEngine: true },
  {
    name: 'takes the sign of the first',
    expression: { $mod: ['$a', 3] },
    document: { a: -7 },
    result: -1,
    wholeInEngine: true,
  },
  { name: 'works on doubles', expression: { $mod: ['$a', 2] }, document: { a: 7.5 }, result: 1.5, wholeInEngine: true },
  {
    name: 'keeps ints',
    expression: { $type: { $mod: ['$a', 3] } },
    document: { a: 7 },
    result: 'int',
    wholeInEngine: true,
  },
  {
    name: 'refuses zero',
    expression: { $mod: ['$a', '$b'] },
    document: { a: 7, b: 0 },
    error: '$mod can not divide by zero',
  },
  {
    name: 'works on an open field',
    documents: [{ a: 7 }, { a: 7.5 }, { a: null }],
    pipeline: [{ $project: { _id: 0, value: { $mod: ['$a', 2] } } }],
    result: [{ value: 1 }, { value: 1.5 }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $mod: ['$a', 2] },
    document: { a: null },
    result: null,
    wholeInEngine: true,
  },
  { name: 'is null for a missing field', expression: { $mod: ['$nothing', 2] }, document: { a: 1 }, result: null },
  {
    name: 'refuses a string, whose value it does not tell',
    expression: { $mod: ['$a', 2] },
    document: { a: 'secret' },
    error: '$mod takes',
  },
  {
    name: 'refuses a string among numbers of an open field',
    documents: [{ a: 1 }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $mod: ['$a', 2] } } }],
    error: /not string$/,
  },
]
