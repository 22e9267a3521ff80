import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'lists fields',
    expression: { $objectToArray: '$o' },
    document: { o: { a: 'x', b: 'y' } },
    result: [
      { k: 'a', v: 'x' },
      { k: 'b', v: 'y' },
    ],
    wholeInEngine: true,
  },
  {
    name: 'lists fields of different types',
    expression: { $objectToArray: '$o' },
    document: { o: { a: 1, b: 'y' } },
    result: [
      { k: 'a', v: 1 },
      { k: 'b', v: 'y' },
    ],
  },
  {
    name: 'leaves missing fields out',
    documents: [{ o: { a: 'x', b: 'y' } }, { o: { b: 'z' } }, {}],
    pipeline: [{ $project: { _id: 0, value: { $objectToArray: '$o' } } }],
    result: [
      {
        value: [
          { k: 'a', v: 'x' },
          { k: 'b', v: 'y' },
        ],
      },
      { value: [{ k: 'b', v: 'z' }] },
      { value: null },
    ],
    wholeInEngine: true,
  },
  {
    name: 'lists fields of open documents',
    documents: [{ o: { a: 1, b: null } }, { o: { a: 'x' } }, { o: null }],
    pipeline: [{ $project: { _id: 0, value: { $objectToArray: '$o' } } }],
    result: [
      {
        value: [
          { k: 'a', v: 1 },
          { k: 'b', v: null },
        ],
      },
      { value: [{ k: 'a', v: 'x' }] },
      { value: null },
    ],
    wholeInEngine: true,
  },
  {
    name: 'refuses what is no document',
    expression: { $objectToArray: '$o' },
    document: { o: 'secret' },
    error: '$objectToArray takes documents, not string',
  },
  {
    name: 'refuses it among documents',
    documents: [{ o: { a: 1 } }, { o: [1] }],
    pipeline: [{ $project: { _id: 0, value: { $objectToArray: '$o' } } }],
    error: '$objectToArray takes documents, not array',
  },
  { name: 'refuses an array', expression: { $objectToArray: '$o' }, document: { o: [1] }, error: 'not array' },
  {
    name: 'names and values of JSON read by themselves, with an index and where there is none',
    calls: [{ session_metadata: { a: 1, b: null } }, {}],
    pipeline: [
      { $sort: { _id: 1 } },
      { $project: { f: { $objectToArray: '$session_metadata' } } },
      { $unwind: { path: '$f', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true } },
      { $project: { _id: 0, k: '$f.k', v: '$f.v', i: 1 } },
    ],
    result: [{ i: { $numberLong: '0' }, k: 'a', v: 1 }, { i: { $numberLong: '1' }, k: 'b', v: null }, { i: null }],
  },
]
