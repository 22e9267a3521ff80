import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'missing and null first ascending',
    documents: [{ a: 2 }, { a: null }, { a: 1 }],
    pipeline: [{ $sort: { a: 1 } }],
    result: [{ a: null }, { a: 1 }, { a: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'and last descending',
    documents: [{ a: 2 }, {}, { a: 3 }],
    pipeline: [{ $sort: { a: -1 } }],
    result: [{ a: 3 }, { a: 2 }, {}],
    wholeInEngine: true,
  },
  {
    name: 'an array by its least element ascending, [] below null',
    documents: [{ a: [3, 9] }, { a: [1, 10] }, { a: [] }],
    pipeline: [{ $sort: { a: 1 } }],
    result: [{ a: [] }, { a: [1, 10] }, { a: [3, 9] }],
    wholeInEngine: true,
  },
  {
    name: 'an array by its greatest element descending, a missing one above []',
    documents: [{ a: [3, 9] }, { a: [1, 10] }, {}, { a: [] }],
    pipeline: [{ $sort: { a: -1 } }],
    result: [{ a: [1, 10] }, { a: [3, 9] }, {}, { a: [] }],
    wholeInEngine: true,
  },
  {
    name: 'the order of types',
    documents: [
      { a: true },
      { a: 'x' },
      { a: 3 },
      { a: [5] },
      {},
      { a: 'é' },
      { a: null, b: 1 },
      { a: 2.5 },
      { a: [] },
    ],
    pipeline: [{ $sort: { a: 1, b: 1 } }],
    result: [{ a: [] }, {}, { a: null, b: 1 }, { a: 2.5 }, { a: 3 }, { a: [5] }, { a: 'x' }, { a: 'é' }, { a: true }],
    wholeInEngine: true,
  },
  {
    name: 'documents among JSON values are sorted by the evaluator',
    documents: [{ a: { b: 2 } }, { a: 'x' }, { a: { b: 1 } }, { a: 3 }],
    pipeline: [{ $sort: { a: 1 } }],
    result: [{ a: 3 }, { a: 'x' }, { a: { b: 1 } }, { a: { b: 2 } }],
  },
  {
    name: 'documents by their fields in order: type, name, value',
    documents: [{ a: { b: 1, c: 2 } }, { a: { c: 0 } }, { a: { b: 1 } }, { a: { b: 0, c: 9 } }],
    pipeline: [{ $sort: { a: 1 } }],
    result: [{ a: { b: 0, c: 9 } }, { a: { b: 1 } }, { a: { b: 1, c: 2 } }, { a: { c: 0 } }],
    wholeInEngine: true,
  },
  {
    name: 'a path through an array of documents',
    calls: [
      { signals: [{ key: 'b', state: 'present' }] },
      {
        signals: [
          { key: 'c', state: 'present' },
          { key: 'a', state: 'absent' },
        ],
      },
      { signals: [] },
      {},
    ],
    pipeline: [{ $sort: { 'signals.key': 1, _id: 1 } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c2' }, { _id: 'c3' }, { _id: 'c1' }, { _id: 'c0' }],
    wholeInEngine: true,
  },
  {
    name: 'a number within an array of documents that some lack',
    calls: [
      { signals: [{ key: 'b', state: 'present', strength: 0.5 }] },
      {
        signals: [
          { key: 'c', state: 'present' },
          { key: 'a', state: 'absent', strength: 0.1 },
        ],
      },
    ],
    pipeline: [{ $sort: { 'signals.strength': 1 } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c1' }, { _id: 'c0' }],
    wholeInEngine: true,
  },
  {
    name: 'strings by their bytes: astral characters come last',
    documents: [{ a: '\u{10000}' }, { a: '\uffff' }, { a: 'z' }, { a: 'Z' }],
    pipeline: [{ $sort: { a: 1 } }],
    result: [{ a: 'Z' }, { a: 'z' }, { a: '\uffff' }, { a: '\u{10000}' }],
    wholeInEngine: true,
  },
  {
    name: 'several keys in their order',
    documents: [
      { a: 1, b: 1 },
      { a: 2, b: 1 },
      { a: 1, b: 2 },
    ],
    pipeline: [{ $sort: { b: -1, a: -1 } }],
    result: [
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { a: 1, b: 1 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a field no document has leaves the order',
    documents: [{ a: 2 }, { a: 1 }],
    pipeline: [{ $sort: { nothing: 1, a: 1 } }],
    result: [{ a: 1 }, { a: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'session_metadata by type, then value',
    calls: [{ session_metadata: { n: 10 } }, { session_metadata: { n: 'x' } }, { session_metadata: { n: 9.5 } }, {}],
    pipeline: [{ $sort: { 'session_metadata.n': -1 } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c1' }, { _id: 'c0' }, { _id: 'c2' }, { _id: 'c3' }],
    wholeInEngine: true,
  },
  {
    name: 'NaN is below all numbers',
    documents: [{ a: 1 }, { a: { $numberDouble: 'NaN' } }, { a: { $numberDouble: '-Infinity' } }, { a: null }],
    pipeline: [{ $sort: { a: 1 } }],
    result: [{ a: null }, { a: { $numberDouble: 'NaN' } }, { a: { $numberDouble: '-Infinity' } }, { a: 1 }],
  },
  { name: 'refuses an empty object', pipeline: [{ $sort: {} }], error: 'at least one field' },
  { name: 'refuses other directions', pipeline: [{ $sort: { a: 2 } }], error: 'the direction is 1 or -1' },
  { name: 'refuses $meta', pipeline: [{ $sort: { a: { $meta: 'textScore' } } }], error: 'the direction is 1 or -1' },
  {
    name: 'JSON of all kinds: numbers, texts, documents or arrays, truths',
    calls: ['"b"', '10', '-2', '1e3', 'true', 'false', 'null', '"a"', '[]', '[7,"z"]'].map(text => ({
      session_metadata: { x: JSON.parse(text) as unknown },
    })),
    pipeline: [{ $sort: { 'session_metadata.x': 1 } }, { $project: { _id: 0, x: '$session_metadata.x' } }],
    result: [[], null, -2, [7, 'z'], 10, 1000, 'a', 'b', false, true].map(x => ({ x })),
    wholeInEngine: true,
  },
]
