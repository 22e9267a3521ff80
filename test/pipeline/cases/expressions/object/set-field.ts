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
  {
    name: 'runs in the engine over a document made of fields',
    calls: [{ score: 4, title: 'x' }],
    wholeInEngine: true,
    pipeline: [
      {
        $project: {
          _id: 0,
          set: { $setField: { field: 'a.b', input: { s: '$score', t: '$_id' }, value: 7 } },
          replaced: { $setField: { field: 't', input: { t: '$_id', s: 1 }, value: 'new' } },
          removed: { $setField: { field: 't', input: { t: '$_id', s: 1 }, value: '$$REMOVE' } },
          unset: { $unsetField: { field: 't', input: { t: '$_id', s: 1 } } },
        },
      },
    ],
    result: [
      {
        set: { s: { $numberDouble: '4' }, t: 'c0', 'a.b': 7 },
        replaced: { t: 'new', s: 1 },
        removed: { s: 1 },
        unset: { s: 1 },
      },
    ],
  },
  {
    name: 'a document that is not there stays null, and its value is not computed',
    calls: [{ session_metadata: { n: 0 } }, { trust: { level: 'high' }, session_metadata: { n: 1 } }],
    pipeline: [
      {
        $project: {
          _id: 0,
          t: { $setField: { field: 'x', input: '$trust', value: { $divide: [1, '$session_metadata.n'] } } },
        },
      },
    ],
    result: [{ t: null }, { t: { level: 'high', x: { $numberDouble: '1' } } }],
  },
]
