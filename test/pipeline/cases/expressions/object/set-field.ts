import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'adds a field',
    expression: { $setField: { field: 'b', input: '$o', value: 2 } },
    document: { o: { a: 1 } },
    result: { a: 1, b: 2 },
  },
  {
    name: 'replaces one in its place',
    expression: { $setField: { field: 'a', input: '$o', value: 2 } },
    document: { o: { a: 1, b: 1 } },
    result: { a: 2, b: 1 },
  },
  {
    name: 'takes names with dots',
    expression: { $setField: { field: 'x.y', input: '$o', value: 2 } },
    document: { o: { a: 1 } },
    result: { a: 1, 'x.y': 2 },
  },
  {
    name: 'removes with $$REMOVE',
    expression: { $setField: { field: 'a', input: '$o', value: '$$REMOVE' } },
    document: { o: { a: 1, b: 2 } },
    result: { b: 2 },
  },
  { name: 'is null of null', expression: { $setField: { field: 'a', input: null, value: 1 } }, result: null },
  {
    name: 'refuses a computed name',
    expression: { $setField: { field: '$a', input: '$o', value: 1 } },
    error: 'is a constant string',
  },
  {
    name: 'refuses what is no document',
    expression: { $setField: { field: 'a', input: '$o', value: 1 } },
    document: { o: 5 },
    error: '$setField takes a document as input, not int',
  },
]
