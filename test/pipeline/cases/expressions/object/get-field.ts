import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'reads a field by its name',
    expression: { $getField: { field: 'k', input: '$o' } },
    document: { o: { k: 1 } },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'reads a field of the document',
    expression: { $getField: 'a' },
    document: { a: 1 },
    result: 1,
    wholeInEngine: true,
  },
  {
    name: 'reads names with dots',
    expression: { $getField: { field: 'a.b', input: { $literal: { 'a.b': 1 } } } },
    result: 1,
  },
  {
    name: 'reads names with dollars',
    expression: { $getField: { field: { $literal: '$x' }, input: { $literal: { $x: 1 } } } },
    result: 1,
  },
  {
    name: 'is missing where there is none',
    expression: { $getField: { field: 'z', input: '$o' } },
    document: { o: { k: 1 } },
    result: undefined,
  },
  { name: 'is null of null', expression: { $getField: { field: 'z', input: null } }, result: null },
  {
    name: 'refuses a name that is no string',
    expression: { $getField: { field: 5, input: '$o' } },
    document: { o: { k: 1 } },
    error: '$getField takes a string as field',
  },
]
