import type { RuleSet } from './rule.js'

const someNull = [{ _id: 1, a: null }, { _id: 2 }, { _id: 3, a: [1, null] }, { _id: 4, a: 5 }]

/** Null is a value, missing is none; the two differ in more places than not. */
export const nullAndMissing: RuleSet = {
  title: 'Null and missing',
  rules: [
    {
      name: 'null in filters',
      says: '`{a: null}` takes null, what is missing, and arrays that hold null. `{a: {$exists: false}}` takes only what is missing.',
      example: {
        documents: someNull,
        pipeline: [{ $match: { a: null } }],
        result: [{ _id: 1, a: null }, { _id: 2 }, { _id: 3, a: [1, null] }],
      },
    },
    {
      name: 'negations',
      says: '`$ne`, `$nin`, `$not` and `$nor` keep exactly what their positive form leaves out, null and missing included.',
      example: {
        documents: someNull,
        pipeline: [{ $match: { a: { $not: { $gt: 4 } } } }],
        result: [{ _id: 1, a: null }, { _id: 2 }, { _id: 3, a: [1, null] }],
      },
    },
    {
      name: 'null as a bound',
      says: '`{$gte: null}` and `{$lte: null}` take null and missing; `{$gt: null}` and `{$lt: null}` take nothing.',
      example: {
        documents: someNull,
        pipeline: [{ $match: { a: { $gte: null } } }],
        result: [{ _id: 1, a: null }, { _id: 2 }, { _id: 3, a: [1, null] }],
      },
    },
    {
      name: 'argument of $exists',
      says: 'The arguments `false`, 0 and null ask for what is missing; everything else, `"no"` and `""` too, for what is there.',
      example: {
        documents: someNull,
        pipeline: [{ $match: { a: { $exists: 'no' } } }],
        result: [
          { _id: 1, a: null },
          { _id: 3, a: [1, null] },
          { _id: 4, a: 5 },
        ],
      },
    },
    {
      name: 'null in expressions',
      says: 'In expressions missing is below null and not equal to it. `$ifNull` takes both for absent.',
      example: {
        documents: [{ n: null }],
        pipeline: [
          {
            $project: {
              equal: { $eq: ['$nothing', null] },
              below: { $lt: ['$nothing', '$n'] },
              instead: { $ifNull: ['$nothing', '$n', 'x'] },
            },
          },
        ],
        result: [{ equal: false, below: true, instead: 'x' }],
      },
    },
    {
      name: 'arithmetic with null',
      says: 'Arithmetic with null or with what is missing gives null.',
      example: {
        documents: [{ a: 5 }],
        pipeline: [{ $project: { sum: { $add: ['$a', '$nothing'] } } }],
        result: [{ sum: null }],
      },
    },
    {
      name: 'computed fields',
      says: 'A computed field whose value is missing is left out; one whose value is null is kept.',
      example: {
        documents: [{ n: null }],
        pipeline: [{ $project: { a: '$nothing', b: '$n', c: { a: '$nothing', b: '$n' } } }],
        result: [{ b: null, c: { b: null } }],
      },
    },
    {
      name: 'null in accumulators',
      says: '`$push` and `$addToSet` pass over what is missing and keep null. `$min` and `$max` pass over both. Of nothing, `$first`, `$last`, `$min`, `$max` and `$avg` give null: the field is there.',
      example: {
        documents: [{}, { a: null }, { a: 3 }],
        pipeline: [
          {
            $group: {
              _id: null,
              all: { $push: '$a' },
              least: { $min: '$a' },
              first: { $first: '$a' },
              no: { $max: '$x' },
            },
          },
        ],
        result: [{ _id: null, all: [null, 3], least: 3, first: null, no: null }],
      },
    },
  ],
}
