import type { Case } from './pipeline-cases.js'

/** The cases of $set, which is also called $addFields. */
export const setCases = (stage: '$set' | '$addFields'): readonly Case[] => [
  {
    name: 'adds, and replaces in its place',
    documents: [{ _id: 1, a: 1, b: 2 }],
    pipeline: [{ [stage]: { a: 5, c: { $add: ['$a', '$b'] } } }],
    result: [{ _id: 1, a: 5, b: 2, c: 3 }],
    wholeInEngine: true,
  },
  {
    name: 'sees the document as it was before the stage',
    documents: [{ a: 1, b: 2 }],
    pipeline: [{ [stage]: { a: '$b', b: '$a' } }],
    result: [{ a: 2, b: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'merges a document into what is there',
    documents: [{ a: { b: 1 } }],
    pipeline: [{ [stage]: { a: { c: 2 } } }],
    result: [{ a: { b: 1, c: 2 } }],
    wholeInEngine: true,
  },
  {
    name: 'a dotted path on a scalar replaces it by a document',
    documents: [{ a: 1 }],
    pipeline: [{ [stage]: { 'a.b': 2 } }],
    result: [{ a: { b: 2 } }],
    wholeInEngine: true,
  },
  {
    name: 'a dotted path makes what is missing',
    documents: [{ a: 1 }],
    pipeline: [{ [stage]: { 'x.y.z': 2 } }],
    result: [{ a: 1, x: { y: { z: 2 } } }],
    wholeInEngine: true,
  },
  {
    name: 'a dotted path on an array sets every element, also scalars',
    documents: [{ a: [{ b: 1 }, { b: 2, c: 3 }] }],
    pipeline: [{ [stage]: { 'a.b': 0 } }],
    result: [{ a: [{ b: 0 }, { b: 0, c: 3 }] }],
    wholeInEngine: true,
  },
  {
    name: 'scalar elements become documents',
    documents: [{ a: [1, { b: 2 }, [3]] }],
    pipeline: [{ [stage]: { 'a.b': 0 } }],
    result: [{ a: [{ b: 0 }, { b: 0 }, [{ b: 0 }]] }],
  },
  {
    name: 'a missing value removes the field, null is kept',
    documents: [{ a: 1, b: 2 }],
    pipeline: [{ [stage]: { a: '$nothing', b: null, c: '$$REMOVE' } }],
    result: [{ b: null }],
    wholeInEngine: true,
  },
  {
    name: 'a missing value inside leaves an empty document',
    documents: [{ a: 5 }, {}],
    pipeline: [{ [stage]: { 'a.b': '$nothing' } }],
    result: [{ a: {} }, { a: {} }],
  },
  {
    name: 'sets inside a struct that some calls lack',
    calls: [{ trust: { level: 'high' } }, {}],
    pipeline: [{ [stage]: { 'trust.note': 'n' } }, { $project: { trust: 1 } }],
    result: [
      { _id: 'c0', trust: { level: 'high', note: 'n' } },
      { _id: 'c1', trust: { note: 'n' } },
    ],
    wholeInEngine: true,
  },
  {
    name: 'puts null in for a missing score',
    calls: [{ score: 4 }, {}],
    pipeline: [{ [stage]: { score: { $ifNull: ['$score', 0] } } }, { $project: { score: 1 } }],
    result: [
      { _id: 'c0', score: 4 },
      { _id: 'c1', score: 0 },
    ],
  },
  {
    name: 'a caller’s own project_id is a field like any other',
    calls: [{}],
    pipeline: [{ [stage]: { project_id: 'other' } }, { $project: { project_id: 1 } }],
    result: [{ _id: 'c0', project_id: 'other' }],
    wholeInEngine: true,
  },
  { name: 'refuses nothing at all', pipeline: [{ [stage]: {} }], error: 'takes an object of at least one field' },
  { name: 'refuses collisions', pipeline: [{ [stage]: { a: 1, 'a.b': 2 } }], error: 'collide' },
  { name: 'refuses an empty part', pipeline: [{ [stage]: { 'a..b': 2 } }], error: 'has an empty part' },
  { name: 'refuses $names', pipeline: [{ [stage]: { $a: 2 } }], error: 'stands where a field name belongs' },
]
