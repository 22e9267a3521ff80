import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'arrays of the length',
    documents: [{ a: [1, 2] }, { a: [1] }, { a: [] }, { a: 1 }, {}],
    pipeline: [{ $match: { a: { $size: 1 } } }],
    result: [{ a: [1] }],
    wholeInEngine: true,
  },
  {
    name: 'typed lists',
    calls: [{ signals: [] }, { signals: [{ key: 'a', state: 'present' }] }, {}],
    pipeline: [{ $match: { signals: { $size: 0 } } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c0' }],
    wholeInEngine: true,
  },
  {
    name: 'an array within an array is not looked into',
    documents: [{ a: [[1]] }, { a: [[1, 2], [3]] }],
    pipeline: [{ $match: { a: { $size: 2 } } }],
    result: [{ a: [[1, 2], [3]] }],
    wholeInEngine: true,
  },
  {
    name: 'under $not',
    documents: [{ a: [1] }, { a: 1 }, {}],
    pipeline: [{ $match: { a: { $not: { $size: 1 } } } }],
    result: [{ a: 1 }, {}],
    wholeInEngine: true,
  },
  {
    name: 'refuses negatives',
    pipeline: [{ $match: { a: { $size: -1 } } }],
    error: '$size takes a whole number from 0',
  },
  {
    name: 'refuses a number beyond all lengths',
    documents: [{ a: [1] }],
    pipeline: [{ $match: { a: { $size: 1e300 } } }],
    error: '$size takes a whole number from 0',
  },
]
