import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'groups by a field, missing and null together',
    documents: [{ a: 'x' }, { a: null }, {}, { a: 'x' }],
    pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }],
    result: [
      { _id: 'x', n: 2 },
      { _id: null, n: 2 },
    ],
    unordered: true,
    wholeInEngine: true,
  },
  {
    name: 'no documents, no groups',
    documents: [{ a: 1 }],
    pipeline: [{ $match: { a: 2 } }, { $group: { _id: null, n: { $sum: 1 }, s: { $sum: '$a' } } }],
    result: [],
    wholeInEngine: true,
  },
  {
    name: 'a constant key is one group',
    documents: [{ a: 1 }, { a: 2 }],
    pipeline: [
      { $group: { _id: null, s: { $sum: '$a' }, avg: { $avg: '$a' }, low: { $min: '$a' }, high: { $max: '$a' } } },
    ],
    result: [{ _id: null, s: 3, avg: 1.5, low: 1, high: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'a compound key keeps missing and null apart',
    documents: [
      { b: 1, c: 1 },
      { a: null, b: 1, c: 1 },
      { b: 1, c: 1 },
    ],
    pipeline: [{ $group: { _id: { a: '$a', b: '$b', c: '$c' }, n: { $sum: 1 } } }],
    result: [
      { _id: { b: 1, c: 1 }, n: 2 },
      { _id: { a: null, b: 1, c: 1 }, n: 1 },
    ],
    unordered: true,
  },
  {
    name: 'equal numbers are one group whatever their type',
    documents: [
      { a: 1 },
      { a: { $numberDouble: '1' } },
      { a: { $numberLong: '1' } },
      { a: { $numberDouble: '-0' } },
      { a: 0 },
    ],
    pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }],
    result: [
      { _id: 1, n: 3 },
      { _id: 0, n: 2 },
    ],
    unordered: true,
  },
  {
    name: 'NaN groups with NaN',
    documents: [{ a: { $numberDouble: 'NaN' } }, { a: { $numberDouble: 'NaN' } }],
    pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }, { $project: { _id: 0 } }],
    result: [{ n: 2 }],
  },
  {
    name: 'arrays are keys as wholes',
    documents: [{ a: [1, 2] }, { a: [1, 2] }, { a: [2, 1] }],
    pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }],
    result: [
      { _id: [1, 2], n: 2 },
      { _id: [2, 1], n: 1 },
    ],
    unordered: true,
    wholeInEngine: true,
  },
  {
    name: 'documents are keys by their ordered fields',
    documents: [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, { a: { b: 1, c: 2 } }],
    pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }],
    result: [
      { _id: { b: 1, c: 2 }, n: 2 },
      { _id: { c: 2, b: 1 }, n: 1 },
    ],
    unordered: true,
  },
  {
    name: 'groups by session_metadata of any type',
    calls: [
      { session_metadata: { store: 'a' } },
      { session_metadata: { store: 1 } },
      { session_metadata: { store: 'a' } },
      { session_metadata: { store: null } },
      { session_metadata: {} },
      {},
      { session_metadata: { store: { x: [1] } } },
    ],
    pipeline: [{ $group: { _id: '$session_metadata.store', n: { $sum: 1 } } }],
    result: [
      { _id: 'a', n: 2 },
      { _id: 1, n: 1 },
      { _id: null, n: 3 },
      { _id: { x: [1] }, n: 1 },
    ],
    unordered: true,
    wholeInEngine: true,
  },
  {
    name: 'accumulators in the order of arrival',
    calls: [{ score: 3 }, { score: 1 }, {}],
    pipeline: [
      { $sort: { score: 1 } },
      {
        $group: {
          _id: '$agent_name',
          first: { $first: '$score' },
          last: { $last: '$score' },
          all: { $push: '$score' },
        },
      },
    ],
    result: [{ _id: 'Ana', first: null, last: 3, all: [1, 3] }],
    wholeInEngine: true,
  },
  { name: 'needs _id', pipeline: [{ $group: { n: { $sum: 1 } } }], error: '$group takes an object with _id' },
  {
    name: 'refuses two accumulators',
    pipeline: [{ $group: { _id: 1, n: { $sum: 1, $avg: 1 } } }],
    error: 'exactly one accumulator',
  },
  {
    name: 'refuses a field without an accumulator, with one that takes it',
    pipeline: [{ $group: { _id: 1, who: '$agent' } }],
    error: 'each output is exactly one accumulator, such as {"$first": "$agent"}',
  },
  {
    name: 'refuses window functions, saying where they stand',
    pipeline: [{ $group: { _id: 1, place: { $rank: {} } } }],
    error: 'The operator "$rank" is no accumulator: it is a window function; it stands in $setWindowFields',
  },
  { name: 'refuses none', pipeline: [{ $group: { _id: 1, n: {} } }], error: 'exactly one accumulator' },
  { name: 'refuses dotted outputs', pipeline: [{ $group: { _id: 1, 'a.b': { $sum: 1 } } }], error: 'holds a dot' },
  { name: 'refuses $ outputs', pipeline: [{ $group: { _id: 1, $a: { $sum: 1 } } }], error: 'starts with "$"' },
  { name: 'refuses $accumulator', pipeline: [{ $group: { _id: 1, a: { $accumulator: {} } } }], error: 'it runs code' },
  {
    name: 'names the closest accumulator',
    pipeline: [{ $group: { _id: 1, a: { $avrg: '$a' } } }],
    error: 'Did you mean $avg?',
  },
]
