import type { RuleSet } from './rule.js'

/** $group and what it gathers. */
export const groups: RuleSet = {
  title: 'Groups',
  rules: [
    {
      name: 'no documents, no groups',
      says: 'Over no documents `$group` and `$count` give no document, with `{_id: null}` too.',
      example: {
        documents: [{ a: 1 }],
        pipeline: [{ $match: { a: 2 } }, { $group: { _id: null, n: { $sum: 1 } } }],
        result: [],
      },
    },
    {
      name: 'missing keys',
      says: 'A missing key groups with null. A key of several fields keeps missing and null apart.',
      example: {
        documents: [{}, { a: null }, { a: 'x' }],
        pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
        result: [
          { _id: null, n: 2 },
          { _id: 'x', n: 1 },
        ],
      },
    },
    {
      name: 'equal keys',
      says: 'Keys are equal by value: 1 and 1.0, 0 and -0, NaN and NaN. Documents by their fields in order, arrays as wholes, never by their elements: `$unwind` does that.',
      example: {
        documents: [{ a: [1, 2] }, { a: [2, 1] }, { a: [1, 2] }],
        pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }, { $sort: { n: -1 } }],
        result: [
          { _id: [1, 2], n: 2 },
          { _id: [2, 1], n: 1 },
        ],
      },
    },
    {
      name: 'what is no number',
      says: '`$sum` and `$avg` pass over what is no number; of nothing `$sum` is 0 and `$avg` null. In `$group` an array is no number; in other expressions its elements are added up.',
      example: {
        documents: [{ a: 'x' }, { a: [1, 2] }, { a: 3 }],
        pipeline: [{ $group: { _id: null, sum: { $sum: '$a' }, mean: { $avg: '$a' }, none: { $sum: '$b' } } }],
        result: [{ _id: null, sum: 3, mean: 3, none: 0 }],
      },
    },
    {
      name: 'sums of whole numbers',
      says: 'Sums of whole numbers stay whole and widen: int, long, and double beyond 64 bits. Sums of doubles are compensated: ten times 0.1 is 1.',
      example: {
        documents: [{ a: 2_000_000_000 }, { a: 2_000_000_000 }],
        pipeline: [{ $group: { _id: null, sum: { $sum: '$a' } } }, { $set: { type: { $type: '$sum' } } }],
        result: [{ _id: null, sum: 4_000_000_000, type: 'long' }],
      },
    },
    {
      name: 'order of arrival',
      says: '`$first`, `$last`, `$push`, `$firstN` and `$lastN` go by the order in which documents arrive: put a `$sort` before. `$addToSet` has no order.',
      example: {
        documents: [{ a: 2 }, { a: 3 }, { a: 1 }],
        pipeline: [{ $sort: { a: 1 } }, { $group: { _id: null, first: { $first: '$a' }, all: { $push: '$a' } } }],
        result: [{ _id: null, first: 1, all: [1, 2, 3] }],
      },
    },
    {
      name: 'deviations of few',
      says: '`$stdDevSamp` of one value is null, `$stdDevPop` of it 0; of none both are null.',
      example: {
        documents: [{ a: 5 }],
        pipeline: [{ $group: { _id: null, sample: { $stdDevSamp: '$a' }, whole: { $stdDevPop: '$a' } } }],
        result: [{ _id: null, sample: null, whole: 0 }],
      },
    },
    {
      name: 'outputs of a group',
      says: 'Each output is exactly one accumulator; its name holds no dot and does not start with `"$"`.',
      example: {
        documents: [],
        pipeline: [{ $group: { _id: null, 'a.b': { $sum: 1 } } }],
        error: 'holds a dot',
      },
    },
  ],
}
