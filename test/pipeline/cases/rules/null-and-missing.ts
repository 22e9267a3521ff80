import type { Case } from '../../../support/pipeline-cases.js'

const values = [{ _id: 1, a: null }, { _id: 2 }, { _id: 3, a: [1, null] }, { _id: 4, a: 5 }, { _id: 5, a: [] }]

/** Which of the documents a filter lets through. */
const kept = (name: string, filter: object, ids: readonly number[], documents: readonly object[] = values): Case => ({
  name,
  documents,
  pipeline: [{ $match: filter }, { $project: { _id: 1 } }],
  result: ids.map(_id => ({ _id })),
})

/** Null, missing and three-valued logic: one row or more for each rule. */
export const cases: readonly Case[] = [
  kept('{a: null} takes null, missing and arrays that hold null', { a: null }, [1, 2, 3]),
  kept('{$exists: false} takes missing only', { a: { $exists: false } }, [2]),
  kept('$ne is the complement of $eq', { a: { $ne: 5 } }, [1, 2, 3, 5]),
  kept('$ne null is the complement of null', { a: { $ne: null } }, [4, 5]),
  kept('$nin keeps missing and null', { a: { $nin: [5] } }, [1, 2, 3, 5]),
  kept('$not keeps missing and null', { a: { $not: { $gt: 4 } } }, [1, 2, 3, 5]),
  kept('$nor keeps missing and null', { $nor: [{ a: 5 }] }, [1, 2, 3, 5]),
  kept('{$gte: null} takes null and missing', { a: { $gte: null } }, [1, 2, 3]),
  kept('{$lte: null} takes null and missing', { a: { $lte: null } }, [1, 2, 3]),
  kept('{$gt: null} takes nothing', { a: { $gt: null } }, []),
  ...[false, 0, null].map(no => kept(`$exists of ${no} means absent`, { a: { $exists: no } }, [2])),
  ...['yes', 1, true].map(yes => kept(`$exists of ${yes} means present`, { a: { $exists: yes } }, [1, 3, 4, 5])),
  {
    name: 'in expressions missing is below null, and equal to none',
    expression: {
      below: { $lt: ['$nothing', null] },
      equal: { $eq: ['$nothing', null] },
      nulls: { $eq: ['$n', null] },
      order: { $cmp: ['$nothing', '$n'] },
    },
    document: { n: null },
    result: { below: true, equal: false, nulls: true, order: -1 },
  },
  {
    name: '$ifNull treats null and missing alike',
    expression: [{ $ifNull: ['$nothing', 'x'] }, { $ifNull: ['$n', 'x'] }],
    document: { n: null },
    result: ['x', 'x'],
  },
  ...['$nothing', '$n'].flatMap(absent =>
    [{ $add: [absent, 1] }, { $multiply: [2, absent] }, { $subtract: [absent, 1] }, { $divide: [1, absent] }].map(
      (expression): Case => ({
        name: `arithmetic with null is null: ${JSON.stringify(expression)}`,
        expression,
        document: { n: null },
        result: null,
      }),
    ),
  ),
  {
    name: 'a computed field that is missing is left out, one that is null is kept',
    documents: [{ _id: 1, n: null }],
    pipeline: [{ $addFields: { x: '$nothing', y: '$n', z: { m: '$nothing', n: '$n' } } }],
    result: [{ _id: 1, n: null, y: null, z: { n: null } }],
  },
  {
    name: '$push and $addToSet skip missing but keep null; $first, $min, $max and $avg of nothing are null',
    documents: [{ _id: 1 }, { _id: 2, a: null }],
    pipeline: [
      {
        $group: {
          _id: null,
          pushed: { $push: '$a' },
          set: { $addToSet: '$a' },
          first: { $first: '$a' },
          last: { $last: '$b' },
          min: { $min: '$a' },
          max: { $max: '$b' },
          avg: { $avg: '$a' },
        },
      },
    ],
    result: [{ _id: null, pushed: [null], set: [null], first: null, last: null, min: null, max: null, avg: null }],
  },
  {
    name: '$min and $max pass over null and missing',
    documents: [{ a: null }, {}, { a: 3 }, { a: 2 }],
    pipeline: [{ $group: { _id: null, min: { $min: '$a' }, max: { $max: '$a' } } }],
    result: [{ _id: null, min: 2, max: 3 }],
  },
]
