import type { RuleSet } from './rule.js'

/** Regular expressions, and how numbers leave. */
export const patternsAndNumbers: RuleSet = {
  title: 'Patterns and numbers',
  rules: [
    {
      name: 'what patterns match',
      says: 'A pattern is found anywhere in a text unless it is anchored, and in the elements of an array; a number never matches. Options: i, m, s, x.',
      example: {
        documents: [{ a: 'Refund asked' }, { a: ['x', 'REFUND'] }, { a: 5 }],
        pipeline: [{ $match: { a: { $regex: 'refund', $options: 'i' } } }],
        result: [{ a: 'Refund asked' }, { a: ['x', 'REFUND'] }],
      },
    },
    {
      name: 'patterns of linear time',
      says: 'Patterns are those of RE2: look-ahead, look-behind and back-references are refused, and so are patterns of more than 1000 characters.',
      example: {
        documents: [],
        pipeline: [{ $match: { title: { $regex: 'refund(?= asked)' } } }],
        error: 'look-ahead and look-behind are not supported',
      },
    },
    {
      name: 'numbers in answers',
      says: 'A long is a number in the answer as long as JSON can hold it exactly, else `{"$numberLong": "…"}`; NaN and the infinities are `{"$numberDouble": "…"}`.',
      example: {
        documents: [{ a: 9_007_199_254_740_991 }],
        pipeline: [{ $set: { a: { $toLong: '$a' } } }, { $project: { exact: '$a', larger: { $add: ['$a', 2] } } }],
        result: [{ exact: 9_007_199_254_740_991, larger: { $numberLong: '9007199254740993' } }],
      },
    },
  ],
}
