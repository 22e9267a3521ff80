import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'counts from 0',
    expression: { $arrayElemAt: ['$a', 1] },
    document: { a: ['x', 'y'] },
    result: 'y',
    wholeInEngine: true,
  },
  {
    name: 'counts from the end',
    expression: { $arrayElemAt: ['$a', -1] },
    document: { a: ['x', 'y'] },
    result: 'y',
    wholeInEngine: true,
  },
  {
    name: 'is missing out of range',
    expression: { $arrayElemAt: ['$a', 5] },
    document: { a: ['x'] },
    result: undefined,
    wholeInEngine: true,
  },
  {
    name: 'is missing below the start',
    expression: { $arrayElemAt: ['$a', -5] },
    document: { a: ['x'] },
    result: undefined,
  },
  {
    name: 'takes a whole double',
    expression: { $arrayElemAt: ['$a', { $numberDouble: '0' }] },
    document: { a: ['x'] },
    result: 'x',
  },
  {
    name: 'refuses a fraction',
    expression: { $arrayElemAt: ['$a', 0.5] },
    document: { a: ['x'] },
    error: '$arrayElemAt takes a whole number as index',
  },
  {
    name: 'is null for a missing array, missing out of range',
    documents: [{ a: ['x'] }, { a: [] }, {}],
    pipeline: [{ $project: { _id: 0, t: { $type: { $arrayElemAt: ['$a', 0] } } } }],
    result: [{ t: 'string' }, { t: 'missing' }, { t: 'null' }],
    wholeInEngine: true,
  },
  {
    name: 'tells null in an array from nothing at all',
    documents: [{ a: ['x', null] }, { a: ['x'] }, {}],
    pipeline: [{ $project: { _id: 0, value: { $arrayElemAt: ['$a', 1] } } }],
    result: [{ value: null }, {}, { value: null }],
    wholeInEngine: true,
  },
  { name: 'is null for null', expression: { $arrayElemAt: ['$a', 0] }, document: { a: null, b: 1 }, result: null },
  {
    name: 'is null for a missing field',
    expression: { $arrayElemAt: ['$nothing', 0] },
    document: { a: 1 },
    result: null,
  },
  {
    name: 'refuses what is no array',
    expression: { $arrayElemAt: ['$a', 0] },
    document: { a: 'secret' },
    error: /\$arrayElemAt takes .*array.*, not string$/,
  },
  {
    name: 'refuses it among arrays of an open field',
    documents: [{ a: [1] }, { a: 'secret' }],
    pipeline: [{ $project: { _id: 0, value: { $arrayElemAt: ['$a', 0] } } }],
    error: /not string$/,
  },
]
