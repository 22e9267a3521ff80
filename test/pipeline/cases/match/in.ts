import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'one of the values, null is missing too',
    documents: [{ a: 1 }, { a: 'x' }, {}, { a: null }, { a: 2 }],
    pipeline: [{ $match: { a: { $in: [1, 'x', null] } } }],
    result: [{ a: 1 }, { a: 'x' }, {}, { a: null }],
    wholeInEngine: true,
  },
  {
    name: 'an empty list matches nothing',
    documents: [{ a: 1 }, {}],
    pipeline: [{ $match: { a: { $in: [] } } }],
    result: [],
    wholeInEngine: true,
  },
  {
    name: 'elements of an array, and the whole',
    documents: [{ a: ['x', 'y'] }, { a: ['z'] }, { a: [['q']] }],
    pipeline: [{ $match: { a: { $in: ['y', ['q']] } } }],
    result: [{ a: ['x', 'y'] }, { a: [['q']] }],
    wholeInEngine: true,
  },
  {
    name: 'literal patterns',
    documents: [{ a: 'abc' }, { a: 'xyz' }, { a: 5 }],
    pipeline: [{ $match: { a: { $in: [{ $regularExpression: { pattern: '^AB', options: 'i' } }, 5] } } }],
    result: [{ a: 'abc' }, { a: 5 }],
    wholeInEngine: true,
  },
  {
    name: 'texts in session_metadata',
    calls: [{ session_metadata: { s: 'x' } }, { session_metadata: { s: ['y'] } }, { session_metadata: { s: 1 } }],
    pipeline: [{ $match: { 'session_metadata.s': { $in: ['x', 'y'] } } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c0' }, { _id: 'c1' }],
    wholeInEngine: true,
  },
  {
    name: 'dates by ISO strings',
    calls: [{ created_dt: '2026-03-01T00:00:00Z' }, {}],
    pipeline: [{ $match: { created_dt: { $in: ['2026-03-01', '2020-01-01'] } } }, { $count: 'n' }],
    result: [{ n: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'refuses $regex objects',
    pipeline: [{ $match: { a: { $in: [{ $regex: 'x' }] } } }],
    error: 'not $regex objects',
  },
  { name: 'refuses what is no array', pipeline: [{ $match: { a: { $in: 'x' } } }], error: '$in takes an array' },
]
