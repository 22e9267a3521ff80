import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'one document an element',
    documents: [
      { a: 1, b: ['x', 'y'] },
      { a: 2, b: ['z'] },
    ],
    pipeline: [{ $unwind: '$b' }],
    result: [
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'z' },
    ],
    wholeInEngine: true,
  },
  {
    name: 'null, missing and [] are dropped, a scalar is one element',
    documents: [{ b: 5 }, { b: null }, {}, { b: [] }, { b: [6] }],
    pipeline: [{ $unwind: '$b' }],
    result: [{ b: 5 }, { b: 6 }],
    wholeInEngine: true,
  },
  {
    name: 'preserved: [] becomes missing, null stays null',
    documents: [{ _id: 1, b: [] }, { _id: 2, b: null }, { _id: 3 }, { _id: 4, b: [7, null] }],
    pipeline: [{ $unwind: { path: '$b', preserveNullAndEmptyArrays: true } }],
    result: [{ _id: 1 }, { _id: 2, b: null }, { _id: 3 }, { _id: 4, b: 7 }, { _id: 4, b: null }],
    wholeInEngine: true,
  },
  {
    name: 'preserved over a typed list',
    calls: [{ signals: [{ key: 'k', state: 'present' }] }, { signals: [] }, {}],
    pipeline: [
      { $unwind: { path: '$signals', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
      { $project: { key: '$signals.key', i: 1 } },
    ],
    result: [
      { _id: 'c0', i: 0, key: 'k' },
      { _id: 'c1', i: null },
      { _id: 'c2', i: null },
    ],
    unordered: true,
    wholeInEngine: true,
  },
  {
    name: 'the index, null for what is no array',
    documents: [{ b: ['x', 'y'] }, { b: 'z' }],
    pipeline: [{ $unwind: { path: '$b', includeArrayIndex: 'i' } }],
    result: [
      { b: 'x', i: 0 },
      { b: 'y', i: 1 },
      { b: 'z', i: null },
    ],
    wholeInEngine: true,
  },
  {
    name: 'the index may stand inside, or take the array’s place',
    documents: [{ b: ['x', 'y'] }],
    pipeline: [
      { $unwind: { path: '$b', includeArrayIndex: 'at.i' } },
      { $unwind: { path: '$b', includeArrayIndex: 'b' } },
    ],
    result: [
      { b: null, at: { i: 0 } },
      { b: null, at: { i: 1 } },
    ],
    wholeInEngine: true,
  },
  {
    name: 'an array inside a document',
    calls: [{ trust: { level: 'low', reasons: ['a', 'b'] } }, { trust: { level: 'high' } }, {}],
    pipeline: [{ $unwind: '$trust.reasons' }, { $project: { trust: 1 } }],
    result: [
      { _id: 'c0', trust: { level: 'low', reasons: 'a' } },
      { _id: 'c0', trust: { level: 'low', reasons: 'b' } },
    ],
    wholeInEngine: true,
  },
  {
    name: 'an array inside a document, preserved',
    calls: [{ trust: { reasons: ['a'] } }, { trust: { level: 'high', reasons: [] } }, {}],
    pipeline: [{ $unwind: { path: '$trust.reasons', preserveNullAndEmptyArrays: true } }, { $project: { trust: 1 } }],
    result: [{ _id: 'c0', trust: { reasons: 'a' } }, { _id: 'c1', trust: { level: 'high' } }, { _id: 'c2' }],
    unordered: true,
    wholeInEngine: true,
  },
  {
    name: 'an array inside an unwound array',
    calls: [
      {
        signals: [
          {
            key: 'k',
            state: 'present',
            evidence: [
              { turn: 1, quote: 'q' },
              { turn: 2, quote: 'r' },
            ],
          },
        ],
      },
    ],
    pipeline: [
      { $unwind: '$signals' },
      { $unwind: '$signals.evidence' },
      { $project: { turn: '$signals.evidence.turn' } },
    ],
    result: [
      { _id: 'c0', turn: 1 },
      { _id: 'c0', turn: 2 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'tags of session_metadata',
    calls: [
      { session_metadata: { 'a "b"': 1, tags: ['x', { y: [1.5] }], z: null } },
      { session_metadata: { tags: 'single' } },
      { session_metadata: { tags: [] } },
      {},
    ],
    pipeline: [
      { $unwind: { path: '$session_metadata.tags', includeArrayIndex: 'i' } },
      { $project: { session_metadata: 1, i: 1 } },
    ],
    result: [
      { _id: 'c0', session_metadata: { 'a "b"': 1, tags: 'x', z: null }, i: 0 },
      { _id: 'c0', session_metadata: { 'a "b"': 1, tags: { y: [1.5] }, z: null }, i: 1 },
      { _id: 'c1', session_metadata: { tags: 'single' }, i: null },
    ],
    unordered: true,
    wholeInEngine: true,
  },
  {
    name: 'tags of session_metadata, preserved',
    calls: [{ session_metadata: { a: 1, tags: [] } }, { session_metadata: { tags: null } }, {}],
    pipeline: [
      { $unwind: { path: '$session_metadata.tags', preserveNullAndEmptyArrays: true } },
      { $project: { session_metadata: 1 } },
    ],
    result: [{ _id: 'c0', session_metadata: { a: 1 } }, { _id: 'c1', session_metadata: { tags: null } }, { _id: 'c2' }],
    unordered: true,
    wholeInEngine: true,
  },
  {
    name: 'a path through an outer array is not walked',
    documents: [{ a: [{ b: [1, 2] }] }],
    pipeline: [{ $unwind: '$a.b' }],
    result: [],
    wholeInEngine: true,
  },
  {
    name: 'a field no document has',
    documents: [{ a: 1 }],
    pipeline: [{ $unwind: '$x' }],
    result: [],
    wholeInEngine: true,
  },
  { name: 'refuses a path without $', pipeline: [{ $unwind: 'b' }], error: 'with "$" before it' },
  {
    name: 'refuses unknown options',
    pipeline: [{ $unwind: { path: '$b', preserve: true } }],
    error: 'Did you mean preserveNullAndEmptyArrays?',
  },
  {
    name: 'refuses an index with $',
    pipeline: [{ $unwind: { path: '$b', includeArrayIndex: '$i' } }],
    error: 'without "$"',
  },
]
