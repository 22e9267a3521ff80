import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'what is there, null included',
    documents: [{ a: null }, {}, { a: 0 }],
    pipeline: [{ $match: { a: { $exists: true } } }],
    result: [{ a: null }, { a: 0 }],
    wholeInEngine: true,
  },
  {
    name: 'what is missing',
    documents: [{ a: null }, {}, { a: 0 }],
    pipeline: [{ $match: { a: { $exists: false } } }],
    result: [{}],
    wholeInEngine: true,
  },
  {
    name: 'the argument is judged by truthiness: 0 and null',
    documents: [{ a: 1 }, {}],
    pipeline: [{ $match: { $and: [{ a: { $exists: 0 } }, { a: { $exists: null } }] } }],
    result: [{}],
    wholeInEngine: true,
  },
  {
    name: 'the argument is judged by truthiness: texts',
    documents: [{ a: 1 }, {}],
    pipeline: [{ $match: { a: { $exists: 'no' } } }],
    result: [{ a: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'in an array of documents',
    documents: [{ a: [{ b: 1 }, {}] }, { a: [{}] }, { a: [] }, { a: { b: null } }],
    pipeline: [{ $match: { 'a.b': { $exists: true } } }],
    result: [{ a: [{ b: 1 }, {}] }, { a: { b: null } }],
    wholeInEngine: true,
  },
  {
    name: 'an index',
    documents: [{ a: [1] }, { a: [1, 2] }],
    pipeline: [{ $match: { 'a.1': { $exists: true } } }],
    result: [{ a: [1, 2] }],
    wholeInEngine: true,
  },
]
