import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'goes by value',
    documents: [{ n: 2 }, { n: 7 }, { n: 3 }],
    pipeline: [{ $group: { _id: null, value: { $min: '$n' } } }],
    result: [{ _id: null, value: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'ignores null and missing',
    documents: [{ n: 2 }, { n: null }, {}],
    pipeline: [{ $group: { _id: null, value: { $min: { $ifNull: ['$n', null] } } } }],
    result: [{ _id: null, value: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'is null of nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $group: { _id: null, value: { $min: '$n' } } }],
    result: [{ _id: null, value: null }],
    wholeInEngine: true,
  },
  {
    name: 'goes by the order of types',
    documents: [{ n: 3 }, { n: 'x' }],
    pipeline: [{ $group: { _id: null, value: { $min: '$n' } } }],
    result: [{ _id: null, value: 3 }],
  },
  {
    name: 'works on dates',
    documents: [{ n: { $date: '2026-03-01T00:00:00.000Z' } }, { n: { $date: '2026-03-01T00:00:00.000Z' } }],
    pipeline: [{ $group: { _id: null, value: { $min: '$n' } } }],
    result: [{ _id: null, value: { $date: '2026-03-01T00:00:00.000Z' } }],
    wholeInEngine: true,
  },
  {
    name: 'puts NaN below numbers',
    documents: [{ n: { $numberDouble: '0' } }, { n: 2.5 }],
    pipeline: [
      { $group: { _id: null, value: { $min: { $cond: [{ $eq: ['$n', 0] }, { $numberDouble: 'NaN' }, '$n'] } } } },
    ],
    result: [{ _id: null, value: { $numberDouble: 'NaN' } }],
    wholeInEngine: true,
  },
  {
    name: 'compares arrays as they are',
    documents: [{ n: [1] }, { n: 5 }],
    pipeline: [{ $group: { _id: null, value: { $min: '$n' } } }],
    result: [{ _id: null, value: 5 }],
  },
]
