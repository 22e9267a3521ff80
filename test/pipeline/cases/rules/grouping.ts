import type { Case } from '../../../support/pipeline-cases.js'

/** $group, $unwind and $project: one row or more for each rule. */
export const cases: readonly Case[] = [
  {
    name: 'no documents make no group',
    documents: [{ a: 1 }],
    pipeline: [{ $match: { a: 2 } }, { $group: { _id: null, n: { $sum: 1 } } }],
    result: [],
  },
  {
    name: 'no documents make no count',
    documents: [{ a: 1 }],
    pipeline: [{ $match: { a: 2 } }, { $count: 'n' }],
    result: [],
  },
  {
    name: 'a missing key groups with null',
    documents: [{ a: null }, {}],
    pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }],
    result: [{ _id: null, n: 2 }],
  },
  {
    name: 'a compound key keeps missing and null apart',
    documents: [{ b: 1 }, { a: null, b: 1 }],
    pipeline: [{ $group: { _id: { a: '$a', b: '$b' }, n: { $sum: 1 } } }],
    unordered: true,
    result: [
      { _id: { b: 1 }, n: 1 },
      { _id: { a: null, b: 1 }, n: 1 },
    ],
  },
  {
    name: '$sum and $avg pass over what is no number; of nothing $sum is 0 and $avg null',
    documents: [{ a: 'x', b: 'x' }, { a: [1, 2] }, { a: 3 }, { a: null }],
    pipeline: [
      { $group: { _id: null, sum: { $sum: '$a' }, avg: { $avg: '$a' }, none: { $sum: '$b' }, no: { $avg: '$b' } } },
    ],
    result: [{ _id: null, sum: 3, avg: 3, none: 0, no: null }],
  },
  { name: 'in $project an array is summed over', expression: { $sum: '$a' }, document: { a: [1, 2, 'x'] }, result: 3 },
  {
    name: 'integers add up to integers and widen to longs; ten times 0.1 is 1',
    documents: Array.from({ length: 10 }, () => ({ i: 2_000_000_000, d: 0.1 })),
    pipeline: [
      { $group: { _id: null, i: { $sum: '$i' }, d: { $sum: '$d' } } },
      { $project: { _id: 0, i: { $type: '$i' }, sum: '$i', d: { $eq: [{ $round: ['$d', 9] }, 1] } } },
    ],
    result: [{ i: 'long', sum: 20_000_000_000, d: true }],
  },
  {
    name: '$first, $last, $push and $firstN go by the order of arrival, nulls included',
    documents: [
      { a: 3, v: null },
      { a: 1, v: 'x' },
      { a: 2, v: 'y' },
    ],
    pipeline: [
      { $sort: { a: -1 } },
      {
        $group: {
          _id: null,
          first: { $first: '$v' },
          last: { $last: '$v' },
          all: { $push: '$v' },
          two: { $firstN: { input: '$v', n: 2 } },
        },
      },
    ],
    result: [{ _id: null, first: null, last: 'x', all: [null, 'y', 'x'], two: [null, 'y'] }],
  },
  {
    name: 'the sample deviation of one value is null, the population’s 0',
    documents: [{ a: 5 }],
    pipeline: [{ $group: { _id: null, s: { $stdDevSamp: '$a' }, p: { $stdDevPop: '$a' } } }],
    result: [{ _id: null, s: null, p: 0 }],
  },
  { name: 'an output may hold no dot', pipeline: [{ $group: { _id: 1, 'a.b': { $sum: 1 } } }], error: 'holds a dot' },
  {
    name: 'an output is one accumulator',
    pipeline: [{ $group: { _id: 1, a: { $sum: 1, $avg: 1 } } }],
    error: 'exactly one accumulator',
  },
  {
    name: '_id comes first unless excluded, kept fields in their order, computed ones after in that of the specification',
    documents: [{ _id: 1, b: 2, a: 3 }],
    pipeline: [
      { $project: { z: { $literal: 1 }, a: 1, y: { $literal: 2 }, b: 1 } },
      { $project: { fields: { $objectToArray: '$$ROOT' } } },
      { $project: { _id: 0, names: '$fields.k' } },
    ],
    result: [{ names: ['_id', 'b', 'a', 'z', 'y'] }],
  },
  ...[0.5, -1, 7, true].map((yes): Case => ({
    name: `${yes} means include`,
    documents: [{ _id: 1, a: 2, b: 3 }],
    pipeline: [{ $project: { a: yes } }],
    result: [{ _id: 1, a: 2 }],
  })),
  {
    name: 'including a path maps over arrays, drops scalars in them and turns a scalar into nothing',
    documents: [
      { _id: 1, a: [{ b: 1, c: 2 }, 5, [{ b: 3, c: 4 }]] },
      { _id: 2, a: 5 },
      { _id: 3, a: { b: 1, c: 1 } },
    ],
    pipeline: [{ $project: { 'a.b': 1 } }],
    result: [{ _id: 1, a: [{ b: 1 }, [{ b: 3 }]] }, { _id: 2 }, { _id: 3, a: { b: 1 } }],
  },
  {
    name: '$addFields merges into a document, replaces a scalar and sets every element of an array',
    documents: [
      { _id: 1, a: { b: 1 } },
      { _id: 2, a: 5 },
      { _id: 3, a: [1, { b: 1 }] },
    ],
    pipeline: [{ $addFields: { a: { c: 2 } } }],
    result: [
      { _id: 1, a: { b: 1, c: 2 } },
      { _id: 2, a: { c: 2 } },
      { _id: 3, a: [{ c: 2 }, { b: 1, c: 2 }] },
    ],
  },
  {
    name: 'a field that is replaced keeps its place, and null does not remove it',
    documents: [{ _id: 1, a: 1, b: 2 }],
    pipeline: [{ $addFields: { a: null, c: '$$REMOVE' } }, { $project: { _id: 0, f: { $objectToArray: '$$ROOT' } } }],
    result: [
      {
        f: [
          { k: '_id', v: 1 },
          { k: 'a', v: null },
          { k: 'b', v: 2 },
        ],
      },
    ],
  },
  { name: 'an empty $project is an error', pipeline: [{ $project: {} }], error: 'at least one field' },
  { name: 'paths that collide are an error', pipeline: [{ $addFields: { a: 1, 'a.b': 1 } }], error: 'collide' },
  {
    name: 'including and excluding at once is an error',
    pipeline: [{ $project: { a: 1, b: 0 } }],
    error: 'either includes',
  },
  {
    name: '$unwind takes a scalar for one element with index null and drops null, missing and []',
    documents: [{ _id: 1, a: 5 }, { _id: 2, a: null }, { _id: 3 }, { _id: 4, a: [] }, { _id: 5, a: ['x'] }],
    pipeline: [{ $unwind: { path: '$a', includeArrayIndex: 'i' } }],
    result: [
      { _id: 1, a: 5, i: null },
      { _id: 5, a: 'x', i: { $numberLong: '0' } },
    ],
  },
  {
    name: '$unwind that preserves makes [] missing and leaves null null',
    documents: [{ _id: 2, a: null }, { _id: 3 }, { _id: 4, a: [] }],
    pipeline: [{ $unwind: { path: '$a', preserveNullAndEmptyArrays: true } }],
    result: [{ _id: 2, a: null }, { _id: 3 }, { _id: 4 }],
  },
  {
    name: '$unwind does not walk through an outer array',
    documents: [{ _id: 1, a: [{ b: [1] }] }],
    pipeline: [{ $unwind: '$a.b' }],
    result: [],
  },
]
