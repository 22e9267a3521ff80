import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'with a value',
    calls: [{ score: 3 }, {}],
    pipeline: [{ $fill: { output: { score: { value: { $add: [1, 0.5] } } } } }, { $project: { score: 1 } }],
    result: [
      { _id: 'c0', score: 3 },
      { _id: 'c1', score: 1.5 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'with the last value before',
    calls: [{ score: 3 }, {}, { score: 5 }, {}],
    pipeline: [{ $fill: { sortBy: { _id: 1 }, output: { score: { method: 'locf' } } } }, { $project: { score: 1 } }],
    result: [
      { _id: 'c0', score: 3 },
      { _id: 'c1', score: 3 },
      { _id: 'c2', score: 5 },
      { _id: 'c3', score: 5 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'on the line between, by dates',
    documents: [
      { d: { $date: '2026-01-01' }, a: 0 },
      { d: { $date: '2026-01-02' } },
      { d: { $date: '2026-01-05' }, a: 8 },
    ],
    pipeline: [{ $fill: { sortBy: { d: 1 }, output: { a: { method: 'linear' } } } }, { $project: { a: 1 } }],
    result: [{ a: 0 }, { a: 2 }, { a: 8 }],
  },
  {
    name: 'in partitions of a field or of an expression',
    documents: [
      { p: 1, i: 1, a: 5 },
      { p: 2, i: 2 },
      { p: 1, i: 3 },
    ],
    pipeline: [{ $fill: { partitionByFields: ['p'], sortBy: { i: 1 }, output: { a: { method: 'locf' } } } }],
    result: [
      { p: 1, i: 1, a: 5 },
      { p: 1, i: 3, a: 5 },
      { p: 2, i: 2, a: null },
    ],
  },
  {
    name: 'null counts as missing',
    documents: [{ a: null }],
    pipeline: [{ $fill: { output: { a: { value: 0 } } } }],
    result: [{ a: 0 }],
  },
  {
    name: 'refuses both',
    pipeline: [{ $fill: { output: { a: { value: 1, method: 'locf' } } } }],
    error: 'either a value, or a method',
  },
  {
    name: 'refuses unknown methods',
    pipeline: [{ $fill: { sortBy: { a: 1 }, output: { a: { method: 'linea' } } } }],
    error: 'Did you mean linear?',
  },
  {
    name: 'needs sortBy for linear',
    pipeline: [{ $fill: { output: { a: { method: 'linear' } } } }],
    error: '$fill needs sortBy for linear',
  },
  {
    name: 'carries on the last value as the documents come, without sortBy',
    documents: [{ a: 2 }, {}, { a: null }, { a: 1 }],
    pipeline: [{ $fill: { output: { a: { method: 'locf' } } } }],
    result: [{ a: 2 }, { a: 2 }, { a: 2 }, { a: 1 }],
  },
  {
    name: 'refuses two ways to partition',
    pipeline: [{ $fill: { partitionBy: '$a', partitionByFields: ['a'], output: { b: { value: 1 } } } }],
    error: 'either partitionBy or partitionByFields',
  },
]
