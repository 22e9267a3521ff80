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
      says: 'The keys of `$sort` count in the order they are written. What is equal in all of them comes in any order: add a key, such as `_id`, where the order matters.',
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
