import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'numbers, whatever their type',
    documents: [{ a: 1 }, { a: 2.5 }, { a: 4 }],
    pipeline: [{ $match: { a: { $lt: 2.5 } } }],
    result: [{ a: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'null',
    documents: [{ a: null }, {}, { a: 1 }],
    pipeline: [{ $match: { a: { $lt: null } } }],
    result: [],
    wholeInEngine: true,
  },
  {
    name: 'strings by their bytes',
    documents: [{ a: 'B' }, { a: 'a' }, { a: 'é' }],
    pipeline: [{ $match: { a: { $lt: 'a' } } }],
    result: [{ a: 'B' }],
    wholeInEngine: true,
  },
  {
    name: 'dates',
    calls: [
      { created_dt: '2026-03-01T00:00:00Z' },
      { created_dt: '2026-03-02T00:00:00Z' },
      { created_dt: '2026-03-03T00:00:00Z' },
    ],
    pipeline: [{ $match: { created_dt: { $lt: { $date: '2026-03-02' } } } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c0' }],
    wholeInEngine: true,
  },
  {
    name: 'elements of an array',
    documents: [{ a: [1, 9] }, { a: [2] }, { a: [] }],
    pipeline: [{ $match: { a: { $lt: 2 } } }],
    result: [{ a: [1, 9] }],
    wholeInEngine: true,
  },
  {
    name: 'true and false',
    documents: [{ a: true }, { a: false }, { a: 1 }, {}],
    pipeline: [{ $match: { a: { $lt: true } } }],
    result: [{ a: false }],
    wholeInEngine: true,
  },
  {
    name: 'NaN equals only itself',
    documents: [{ a: { $numberDouble: 'NaN' } }, { a: 1.5 }],
    pipeline: [{ $match: { a: { $lt: { $numberDouble: 'NaN' } } } }],
    result: [],
  },
]
