import type { RuleSet } from './rule.js'

/** What is above what. */
export const order: RuleSet = {
  title: 'Order',
  rules: [
    {
      name: 'order of types',
      says: 'Values of different types have an order, in `$sort` and in expressions: null and missing, numbers, texts, documents, arrays, booleans, dates.',
      example: {
        documents: [{ a: true }, { a: 'x' }, { a: { b: 1 } }, { a: 5 }, {}],
        pipeline: [{ $sort: { a: 1 } }],
        result: [{}, { a: 5 }, { a: 'x' }, { a: { b: 1 } }, { a: true }],
      },
    },
    {
      name: 'types in filters',
      says: 'In a filter `$gt`, `$gte`, `$lt` and `$lte` compare only values of the same type.',
      example: {
        documents: [{ a: 5 }, { a: 'x' }, { a: true }],
        pipeline: [{ $match: { a: { $gt: 1 } } }],
        result: [{ a: 5 }],
      },
    },
    {
      name: 'null and NaN in a sort',
      says: 'Null and missing come first ascending and last descending. NaN is below every other number.',
      example: {
        documents: [{ a: 1 }, {}, { a: { $numberDouble: 'NaN' } }],
        pipeline: [{ $sort: { a: 1 } }],
        result: [{}, { a: { $numberDouble: 'NaN' } }, { a: 1 }],
      },
    },
    {
      name: 'arrays in a sort',
      says: 'An array counts as its least element ascending and as its greatest descending; `[]` is below null.',
      example: {
        documents: [{ a: [5, 1] }, { a: [3, 4] }, { a: [] }, {}],
        pipeline: [{ $sort: { a: 1 } }],
        result: [{ a: [] }, {}, { a: [5, 1] }, { a: [3, 4] }],
      },
    },
    {
      name: 'order of texts',
      says: 'Texts are ordered by their UTF-8 bytes: capitals before small letters, letters with accents after both.',
      example: {
        documents: [{ a: 'é' }, { a: 'a' }, { a: 'Z' }],
        pipeline: [{ $sort: { a: 1 } }],
        result: [{ a: 'Z' }, { a: 'a' }, { a: 'é' }],
      },
    },
    {
      name: 'keys of a sort',
      says: 'The keys of `$sort` count in the order they are written. What is equal in all of them stays in the order it came.',
      example: {
        documents: [
          { a: 1, b: 2 },
          { a: 2, b: 1 },
        ],
        pipeline: [{ $sort: { b: 1, a: 1 } }],
        result: [
          { a: 2, b: 1 },
          { a: 1, b: 2 },
        ],
      },
    },
    {
      name: 'order of calls',
      says: 'Calls come in the order of `created_dt`, those of one instant by `session_id`; documents of your own come as they were given. Stages keep that order, and the elements of an array come in theirs, so that a pipeline gives the same documents in the same order every time. (MongoDB leaves all of this open.)',
      example: {
        documents: [
          { _id: 2, turns: ['c', 'd'] },
          { _id: 1, turns: ['a', 'b'] },
        ],
        pipeline: [{ $unwind: '$turns' }, { $sort: { _id: 1 } }],
        result: [
          { _id: 1, turns: 'a' },
          { _id: 1, turns: 'b' },
          { _id: 2, turns: 'c' },
          { _id: 2, turns: 'd' },
        ],
      },
    },
    {
      name: 'documents of equal keys',
      says: 'What is equal in all keys stays in the order it came: in `$sort`, in the sortBy of windows, of `$top` and its kin, in `$bucketAuto`, and in what counts the same in `$sortByCount`.',
      example: {
        documents: [
          { _id: 'x', a: 1 },
          { _id: 'z', a: 2 },
          { _id: 'y', a: 1 },
        ],
        pipeline: [
          { $setWindowFields: { sortBy: { a: -1 }, output: { n: { $documentNumber: {} } } } },
          { $project: { n: 1 } },
        ],
        result: [
          { _id: 'z', n: 1 },
          { _id: 'x', n: 2 },
          { _id: 'y', n: 3 },
        ],
      },
    },
    {
      name: 'groups in order',
      says: 'Groups come in the order of their `_id`, and `$addToSet` gives its values ascending; documents and arrays of `session_metadata` stand among each other by their text where the engine groups. `$push`, `$first`, `$last`, `$firstN`, `$lastN` and `$mergeObjects` take the documents as they come.',
      example: {
        documents: [
          { agent: 'Ben', channel: 'phone', n: 1 },
          { agent: 'Ana', channel: 'phone', n: 2 },
          { agent: 'Ben', channel: 'chat', n: 3 },
        ],
        pipeline: [{ $group: { _id: '$agent', all: { $push: '$n' }, channels: { $addToSet: '$channel' } } }],
        result: [
          { _id: 'Ana', all: [2], channels: ['phone'] },
          { _id: 'Ben', all: [1, 3], channels: ['chat', 'phone'] },
        ],
      },
    },
    {
      name: 'current in a range',
      says: 'In a window of a range `"current"` is the document at its place; only a number, 0 too, takes in all documents of equal value.',
      example: {
        documents: [
          { d: 1, v: 10 },
          { d: 2, v: 1 },
          { d: 2, v: 2 },
          { d: 3, v: 5 },
        ],
        pipeline: [
          {
            $setWindowFields: {
              sortBy: { d: 1 },
              output: {
                running: { $sum: '$v', window: { range: ['unbounded', 'current'] } },
                withTies: { $sum: '$v', window: { range: ['unbounded', 0] } },
              },
            },
          },
        ],
        result: [
          { d: 1, v: 10, running: 10, withTies: 10 },
          { d: 2, v: 1, running: 11, withTies: 13 },
          { d: 2, v: 2, running: 13, withTies: 13 },
          { d: 3, v: 5, running: 18, withTies: 18 },
        ],
      },
    },
    {
      name: 'fields named by numbers',
      says: 'Fields whose names are whole numbers stand before the other fields of a document, ascending, however they were written. For what is counted by number, such as a distribution of scores, make an array of documents.',
      example: {
        documents: [{ a: 'x' }],
        pipeline: [{ $project: { b: { $objectToArray: { $literal: { b: 1, 2: 1, 1: 1 } } } } }],
        result: [
          {
            b: [
              { k: '1', v: 1 },
              { k: '2', v: 1 },
              { k: 'b', v: 1 },
            ],
          },
        ],
      },
    },
  ],
}
