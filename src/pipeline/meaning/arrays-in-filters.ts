import type { RuleSet } from './rule.js'

/** Filters look into arrays, expressions do not. */
export const arraysInFilters: RuleSet = {
  title: 'Arrays and paths in filters',
  rules: [
    {
      name: 'elements of arrays',
      says: 'A condition holds of a value itself or, if it is an array, of any element. Two conditions may be met by two elements; only `$elemMatch` asks both of one.',
      example: {
        documents: [
          { _id: 1, a: [0, 4] },
          { _id: 2, a: 2 },
          { _id: 3, a: [0, 1] },
        ],
        pipeline: [{ $match: { a: { $gt: 1, $lt: 3 } } }],
        result: [
          { _id: 1, a: [0, 4] },
          { _id: 2, a: 2 },
        ],
      },
    },
    {
      name: 'paths through arrays',
      says: 'A dotted path goes through arrays of documents, one level of array a step. An array directly inside an array is not entered.',
      example: {
        documents: [
          { _id: 1, a: [{ b: 1 }] },
          { _id: 2, a: [[{ b: 1 }]] },
          { _id: 3, a: { b: [1, 2] } },
        ],
        pipeline: [{ $match: { 'a.b': 1 } }],
        result: [
          { _id: 1, a: [{ b: 1 }] },
          { _id: 3, a: { b: [1, 2] } },
        ],
      },
    },
    {
      name: 'fields missing within arrays',
      says: '`{"a.b": null}` takes arrays with a document that lacks b, values that are no documents, and what is missing, but no array without documents; `$ne` and `$nin` keep those. (This changes in MongoDB 9.)',
      example: {
        documents: [
          { _id: 1, a: [] },
          { _id: 2, a: [1, 'x'] },
          { _id: 3, a: [{ b: 1 }, {}] },
          { _id: 4, a: 5 },
        ],
        pipeline: [{ $match: { 'a.b': null } }],
        result: [
          { _id: 3, a: [{ b: 1 }, {}] },
          { _id: 4, a: 5 },
        ],
      },
    },
    {
      name: 'numbers in paths',
      says: 'In a filter a step that is a number means the element at that place or the field of that name; in an expression only the field.',
      example: {
        documents: [
          { _id: 1, a: [7, 8] },
          { _id: 2, a: [8, 7] },
        ],
        pipeline: [{ $match: { 'a.0': 7 } }, { $project: { first: '$a.0' } }],
        result: [{ _id: 1, first: [] }],
      },
    },
    {
      name: 'equal values',
      says: 'An array is met as a whole or as an element; documents are equal when they have the same fields in the same order. 1 and 1.0 are equal, `true` and 1 are not.',
      example: {
        documents: [
          { _id: 1, a: [1, 2] },
          { _id: 2, a: [[1, 2], 3] },
          { _id: 3, a: [2, 1] },
        ],
        pipeline: [{ $match: { a: [1, 2] } }],
        result: [
          { _id: 1, a: [1, 2] },
          { _id: 2, a: [[1, 2], 3] },
        ],
      },
    },
    {
      name: 'conditions on arrays',
      says: '`$size` and `$elemMatch` take arrays only; `$all` of one value takes that value too. `$elemMatch` with a filter passes over elements that are no documents; one inside another goes one level deeper.',
      example: {
        documents: [
          { _id: 1, a: 1 },
          { _id: 2, a: [1] },
        ],
        pipeline: [{ $match: { a: { $elemMatch: { $eq: 1 } } } }],
        result: [{ _id: 2, a: [1] }],
      },
    },
    {
      name: 'lists of values',
      says: '`$in` takes missing when null is listed, and patterns as literals, not as `{$regex}`. `$in` of `[]` takes nothing, `$nin` of `[]` everything.',
      example: {
        documents: [{ _id: 1, a: 'Refund' }, { _id: 2, a: null }, { _id: 3 }, { _id: 4, a: 'x' }],
        pipeline: [{ $match: { a: { $in: [null, { $regularExpression: { pattern: '^ref', options: 'i' } }] } } }],
        result: [{ _id: 1, a: 'Refund' }, { _id: 2, a: null }, { _id: 3 }],
      },
    },
    {
      name: 'arrays in expressions',
      says: 'Expressions, `$expr` too, compare an array as it is: it is above every number and text. The expression `$in` looks for the value itself in an array and fails on anything else.',
      example: {
        documents: [
          { _id: 1, a: [1] },
          { _id: 2, a: 6 },
          { _id: 3, a: 4 },
        ],
        pipeline: [{ $match: { $expr: { $gt: ['$a', 5] } } }],
        result: [
          { _id: 1, a: [1] },
          { _id: 2, a: 6 },
        ],
      },
    },
  ],
}
