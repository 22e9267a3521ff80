import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'buckets of about equal size',
    documents: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }, { a: 5 }],
    pipeline: [{ $bucketAuto: { groupBy: '$a', buckets: 2 } }],
    result: [
      { _id: { min: 1, max: 4 }, count: 3 },
      { _id: { min: 4, max: 5 }, count: 2 },
    ],
  },
  {
    name: 'equal values stay together',
    documents: [{ a: 1 }, { a: 1 }, { a: 1 }, { a: 2 }],
    pipeline: [{ $bucketAuto: { groupBy: '$a', buckets: 4, output: { n: { $sum: 1 }, s: { $sum: '$a' } } } }],
    result: [
      { _id: { min: 1, max: 2 }, n: 3, s: 3 },
      { _id: { min: 2, max: 2 }, n: 1, s: 2 },
    ],
  },
  {
    name: 'nothing gives nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $match: { a: 2 } }, { $bucketAuto: { groupBy: '$a', buckets: 3 } }],
    result: [],
  },
  {
    name: 'missing counts as null, below all',
    documents: [{}, { a: 'x' }, { a: 3 }],
    pipeline: [{ $bucketAuto: { groupBy: '$a', buckets: 3 } }],
    result: [
      { _id: { min: null, max: 3 }, count: 1 },
      { _id: { min: 3, max: 'x' }, count: 1 },
      { _id: { min: 'x', max: 'x' }, count: 1 },
    ],
  },
  {
    name: 'granularity POWERSOF2',
    documents: [{ a: 3 }, { a: 5 }, { a: 20 }, { a: 33 }],
    pipeline: [{ $bucketAuto: { groupBy: '$a', buckets: 2, granularity: 'POWERSOF2' } }],
    result: [
      { _id: { min: 2, max: 8 }, count: 2 },
      { _id: { min: 8, max: 64 }, count: 2 },
    ],
  },
  {
    name: 'granularity R5',
    documents: Array.from({ length: 10 }, (_, i) => ({ a: (i + 1) * 10 })),
    pipeline: [{ $bucketAuto: { groupBy: '$a', buckets: 3, granularity: 'R5' } }],
    result: [
      { _id: { min: 6.3, max: 40 }, count: 3 },
      { _id: { min: 40, max: 63 }, count: 3 },
      { _id: { min: 63, max: 160 }, count: 4 },
    ],
  },
  {
    name: 'granularity 1-2-5 with zeros at the start',
    documents: [{ a: 0 }, { a: 0 }, { a: 7 }, { a: 30 }],
    pipeline: [{ $bucketAuto: { groupBy: '$a', buckets: 2, granularity: '1-2-5' } }],
    result: [
      { _id: { min: 0, max: 5 }, count: 2 },
      { _id: { min: 5, max: 50 }, count: 2 },
    ],
  },
  {
    name: 'a granularity rounds no texts',
    documents: [{ a: 'x' }],
    pipeline: [{ $bucketAuto: { groupBy: '$a', buckets: 2, granularity: 'E6' } }],
    error: '$bucketAuto rounds only numbers',
  },
  {
    name: 'refuses 0 buckets',
    pipeline: [{ $bucketAuto: { groupBy: '$a', buckets: 0 } }],
    error: 'is a whole number from 1',
  },
  {
    name: 'refuses unknown granularities',
    pipeline: [{ $bucketAuto: { groupBy: '$a', buckets: 2, granularity: 'R6' } }],
    error: 'Did you mean R5?',
  },
]
