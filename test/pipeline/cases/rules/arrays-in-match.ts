import type { Case } from '../../../support/pipeline-cases.js'

/** Which of the values of `a` (documents 0, 1, 2 …) a filter lets through. */
const kept = (name: string, filter: object, values: readonly unknown[], places: readonly number[]): Case => ({
  name,
  documents: values.map((a, _id) => (a === undefined ? { _id } : { _id, a })),
  pipeline: [{ $match: filter }, { $project: { _id: 1 } }],
  result: places.map(_id => ({ _id })),
})

/** Arrays and paths in $match: one row or more for each rule. */
export const cases: readonly Case[] = [
  kept('a leaf is the value or any of its elements', { a: 1 }, [1, [1, 2], [[1]], 2], [0, 1]),
  kept('two elements may each meet a half', { a: { $gt: 1, $lt: 3 } }, [[0, 4], [2], [0, 1]], [0, 1]),
  kept('$elemMatch binds one element', { a: { $elemMatch: { $gt: 1, $lt: 3 } } }, [[0, 4], [2], 2], [1]),
  kept(
    'a path walks through arrays of documents',
    { 'a.b': 1 },
    [[{ b: 1 }], { b: 1 }, [{ b: [1, 2] }], [{ c: 1 }]],
    [0, 1, 2],
  ),
  kept('an array directly in an array is not entered', { 'a.b': 1 }, [[[{ b: 1 }]], [{ b: 1 }]], [1]),
  kept('one array level a step', { 'a.b.c': 1 }, [[{ b: [{ c: 1 }] }], [{ b: [[{ c: 1 }]] }]], [0]),
  kept('{a.b: null} is not met by arrays without documents', { 'a.b': null }, [[], [1, 'x'], [[]]], []),
  kept(
    '{a.b: null} is met by a document without b, a scalar and nothing',
    { 'a.b': null },
    [[{ b: 1 }, {}], 5, undefined, { b: 1 }],
    [0, 1, 2],
  ),
  kept(
    '$ne and $nin null keep arrays without documents',
    { 'a.b': { $ne: null, $nin: [null] } },
    [[], [1, 'x'], [{}], 5],
    [0, 1],
  ),
  kept(
    '$elemMatch takes an inner array for a document without b',
    { a: { $elemMatch: { b: null } } },
    [[[]], [{}], [1], [{ b: 1 }]],
    [0, 1],
  ),
  kept('a numeric step is an index or a field', { 'a.0': 7 }, [[7, 8], { 0: 7 }, [8, 7], [{ 0: 7 }]], [0, 1, 3]),
  {
    name: 'in expressions a numeric step is a field name only',
    expression: '$a.0',
    document: { a: [1, 2] },
    result: [],
  },
  kept('an array matches as a whole or as an element', { a: [1, 2] }, [[1, 2], [[1, 2], 3], [2, 1], [1]], [0, 1]),
  kept(
    'documents match with the same fields in the same order',
    { a: { b: 1, c: 2 } },
    [{ b: 1, c: 2 }, { c: 2, b: 1 }, { b: 1 }],
    [0],
  ),
  kept('1 and 1.0 are equal, true never equals 1', { a: 1 }, [1, { $numberDouble: '1.0' }, true, '1'], [0, 1]),
  kept('true is not 1', { a: true }, [1, true], [1]),
  kept('$size never matches what is no array', { a: { $size: 1 } }, [[1], 1, 'x', [], undefined], [0]),
  kept('$elemMatch never matches what is no array', { a: { $elemMatch: { $eq: 1 } } }, [1, [1]], [1]),
  kept('$all of one value matches the value itself', { a: { $all: [1] } }, [1, [1, 2], [2]], [0, 1]),
  kept(
    '$elemMatch with a filter skips scalars',
    { a: { $elemMatch: { b: { $exists: false } } } },
    [[1], [{ c: 1 }]],
    [1],
  ),
  kept(
    'nested $elemMatch enters a level each',
    { a: { $elemMatch: { $elemMatch: { $eq: 1 } } } },
    [[[1]], [1], [[2], [1]]],
    [0, 2],
  ),
  kept('null in $in takes missing', { a: { $in: [null, 3] } }, [undefined, null, 3, 4], [0, 1, 2]),
  kept('$in of nothing takes nothing', { a: { $in: [] } }, [1, undefined], []),
  kept('$nin of nothing takes everything', { a: { $nin: [] } }, [1, undefined, null], [0, 1, 2]),
  {
    name: 'the expression $in looks for the value itself, and null is an error',
    expression: { here: { $in: [1, '$a'] }, inside: { $in: [1, [[1]]] } },
    document: { a: [1] },
    result: { here: true, inside: false },
  },
  { name: 'the expression $in in null fails', expression: { $in: [1, '$nothing'] }, error: '$in takes an array' },
  kept(
    '$expr does not look into arrays: every array is above a number',
    { $expr: { $gt: ['$a', 5] } },
    [[6], [1], 6, 4],
    [0, 1, 2],
  ),
  kept('$gt compares within a type', { a: { $lt: 'x' } }, [5, 'a', null, true], [1]),
  kept(
    'a text never bounds a date',
    { a: { $gte: '2026-01-01' } },
    [{ $date: '2026-05-01T00:00:00Z' }, '2026-05-01'],
    [1],
  ),
  kept(
    'a number never matches a pattern, elements of an array do',
    { a: { $regex: '^1' } },
    [1, '12', ['x', '1']],
    [1, 2],
  ),
]
