import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'prints an int', expression: { $toString: '$a' }, document: { a: -5 }, result: '-5', wholeInEngine: true },
  { name: 'prints a double as short as it can', expression: { $toString: '$a' }, document: { a: 0.1 }, result: '0.1' },
  {
    name: 'prints a whole double without a point',
    expression: { $toString: '$a' },
    document: { a: { $numberDouble: '5' } },
    result: '5',
  },
  {
    name: 'prints large and small doubles',
    expression: [{ $toString: 1e21 }, { $toString: 1e-7 }],
    result: ['1e+21', '1e-7'],
  },
  {
    name: 'prints a boolean',
    expression: { $toString: '$a' },
    document: { a: true },
    result: 'true',
    wholeInEngine: true,
  },
  {
    name: 'prints a date',
    expression: { $toString: '$a' },
    document: { a: { $date: '2026-03-01T00:00:00.000Z' } },
    result: '2026-03-01T00:00:00.000Z',
    wholeInEngine: true,
  },
  { name: 'keeps a string', expression: { $toString: '$a' }, document: { a: 'x' }, result: 'x', wholeInEngine: true },
  {
    name: 'refuses an array',
    expression: { $toString: '$a' },
    document: { a: [1] },
    error: '$toString can not convert array to string',
  },
  {
    name: 'prints an open field',
    documents: [{ a: 1 }, { a: 'x' }, { a: true }, { a: null }, {}],
    pipeline: [{ $project: { _id: 0, value: { $toString: '$a' } } }],
    result: [{ value: '1' }, { value: 'x' }, { value: 'true' }, { value: null }, { value: null }],
  },
  {
    name: 'prints doubles of an open field',
    documents: [{ a: 1.5 }, { a: 'x' }],
    pipeline: [{ $project: { _id: 0, value: { $toString: '$a' } } }],
    result: [{ value: '1.5' }, { value: 'x' }],
  },
  {
    name: 'is null for null',
    expression: { $toString: '$a' },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  { name: 'is null for missing', expression: { $toString: '$nothing' }, result: null },
]
