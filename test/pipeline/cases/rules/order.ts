import type { Case } from '../../../support/pipeline-cases.js'

const sorted = (name: string, values: readonly unknown[], direction: 1 | -1, places: readonly number[]): Case => ({
  name,
  documents: values.map((a, _id) => (a === undefined ? { _id } : { _id, a })),
  pipeline: [{ $sort: { a: direction, _id: 1 } }, { $project: { _id: 1 } }],
  result: places.map(_id => ({ _id })),
})

const ofAllTypes = [{ $date: '2026-01-01T00:00:00Z' }, true, [9], { b: 1 }, 'text', 5, null, undefined]

/** The order of types, sort and numbers: one row or more for each rule. */
export const cases: readonly Case[] = [
  // An array is sorted by its least element ascending and by its greatest descending.
  sorted(
    'types ascend: null and missing, numbers, strings, documents, booleans, dates',
    ofAllTypes,
    1,
    [6, 7, 5, 2, 4, 3, 1, 0],
  ),
  sorted('types descend the other way round', ofAllTypes, -1, [0, 1, 3, 4, 2, 5, 6, 7]),
  sorted('an array goes by its least element ascending', [[5, 1], [3, 4], 2], 1, [0, 2, 1]),
  sorted('an array goes by its greatest element descending', [[5, 1], [3, 4], 2], -1, [0, 1, 2]),
  sorted('an empty array is below null', [null, [], 0], 1, [1, 0, 2]),
  sorted('NaN is below all numbers', [{ $numberDouble: '-Infinity' }, { $numberDouble: 'NaN' }, 0], 1, [1, 0, 2]),
  sorted('strings go by their UTF-8 bytes', ['\u{10000}', '\uffff', 'a', 'Z', 'é'], 1, [3, 2, 4, 1, 0]),
  {
    name: 'the order of the keys of a sort counts',
    documents: [
      { _id: 1, a: 1, b: 2 },
      { _id: 2, a: 2, b: 1 },
    ],
    pipeline: [{ $sort: { b: 1, a: 1 } }, { $project: { _id: 1 } }],
    result: [{ _id: 2 }, { _id: 1 }],
  },
  {
    name: 'expressions compare across types',
    expression: {
      text: { $gt: ['x', 1] },
      date: { $gt: ['$$NOW', true] },
      list: { $gt: [[], { a: 1 }] },
      no: { $lt: [{ $literal: {} }, 'x'] },
    },
    result: { text: true, date: true, list: true, no: false },
  },
  {
    name: 'keys are equal by value: 1 and 1.0, 0.0 and -0.0, NaN and NaN; arrays as wholes, documents by ordered fields',
    documents: [
      { a: 1 },
      { a: { $numberDouble: '1.0' } },
      { a: { $numberLong: '1' } },
      { a: 0 },
      { a: { $numberDouble: '-0.0' } },
      { a: { $numberDouble: 'NaN' } },
      { a: { $numberDouble: 'NaN' } },
      { a: [1, 2] },
      { a: [2, 1] },
      { a: { b: 1, c: 1 } },
      { a: { c: 1, b: 1 } },
    ],
    pipeline: [
      { $group: { _id: '$a', n: { $sum: 1 } } },
      { $group: { _id: '$n', groups: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    result: [
      { _id: 1, groups: 4 },
      { _id: 2, groups: 2 },
      { _id: 3, groups: 1 },
    ],
  },
]
