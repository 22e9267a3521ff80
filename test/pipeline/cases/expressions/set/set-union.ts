import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'puts sets together',
    expression: { $setUnion: ['$a', ['b']] },
    document: { a: ['c', 'a', 'a'] },
    result: ['a', 'b', 'c'],
    wholeInEngine: true,
  },
  { name: 'takes 1 and 1.0 for one', expression: { $setUnion: [[1], [{ $numberDouble: '1' }]] }, result: [1] },
  {
    name: 'is null when one is missing',
    documents: [{ a: ['x'] }, {}],
    pipeline: [{ $project: { _id: 0, value: { $setUnion: ['$a', ['y']] } } }],
    result: [{ value: ['x', 'y'] }, { value: null }],
    wholeInEngine: true,
  },
  { name: 'keeps nested arrays whole', expression: { $setUnion: [[[1]], [[1]]] }, result: [[1]] },
  { name: 'is null when one is null', expression: { $setUnion: ['$a', null] }, document: { a: ['x'] }, result: null },
  {
    name: 'refuses what is no array',
    expression: { $setUnion: ['$a', ['x']] },
    document: { a: 'secret' },
    error: '$setUnion takes arrays, not string',
  },
]
