import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'counts elements', expression: { $size: '$a' }, document: { a: ['x', 'y'] }, result: 2, wholeInEngine: true },
  {
    name: 'counts those of an open field',
    documents: [{ a: [1, 'x'] }, { a: [] }],
    pipeline: [{ $project: { _id: 0, value: { $size: '$a' } } }],
    result: [{ value: 2 }, { value: 0 }],
    wholeInEngine: true,
  },
  { name: 'refuses null', expression: { $size: '$a' }, document: { a: null, b: 1 }, error: /not null$/ },
  { name: 'refuses a missing field', expression: { $size: '$nothing' }, document: { a: 1 }, error: /not missing$/ },
  { name: 'refuses what is no array', expression: { $size: '$a' }, document: { a: 'secret' }, error: /not string$/ },
  {
    name: 'refuses a missing array among others',
    documents: [{ a: ['x'] }, {}],
    pipeline: [{ $project: { _id: 0, value: { $size: '$a' } } }],
    error: /not missing$/,
  },
  {
    name: 'refuses a scalar among arrays of an open field',
    documents: [{ a: [1] }, { a: 5 }],
    pipeline: [{ $project: { _id: 0, value: { $size: '$a' } } }],
    error: /not int$/,
  },
]
