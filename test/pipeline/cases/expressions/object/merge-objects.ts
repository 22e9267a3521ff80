import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'lays documents over one another',
    expression: { $mergeObjects: ['$o', { b: 2 }] },
    document: { o: { a: 1, b: 1 } },
    result: { a: 1, b: 2 },
    wholeInEngine: true,
  },
  {
    name: 'passes null and missing over',
    expression: { $mergeObjects: ['$o', null, '$nothing'] },
    document: { o: { a: 1 } },
    result: { a: 1 },
  },
  { name: 'is empty over nothing', expression: { $mergeObjects: [null] }, result: {} },
  {
    name: 'refuses what is no document',
    expression: { $mergeObjects: ['$a'] },
    document: { a: 'secret' },
    error: '$mergeObjects takes documents, not string',
  },
]
