import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'removes a field',
    expression: { $unsetField: { field: 'a', input: '$o' } },
    document: { o: { a: 1, b: 2 } },
    result: { b: 2 },
  },
  {
    name: 'keeps a document without it',
    expression: { $unsetField: { field: 'z', input: '$o' } },
    document: { o: { a: 1 } },
    result: { a: 1 },
  },
  { name: 'is null of null', expression: { $unsetField: { field: 'a', input: null } }, result: null },
]
