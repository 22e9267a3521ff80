import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'takes 0 for false', expression: { $toBool: '$a' }, document: { a: 0 }, result: false, wholeInEngine: true },
  { name: 'takes 1 for true', expression: { $toBool: '$a' }, document: { a: 1 }, result: true, wholeInEngine: true },
  {
    name: 'takes {"$numberDouble":"0"} for false',
    expression: { $toBool: '$a' },
    document: { a: { $numberDouble: '0' } },
    result: false,
    wholeInEngine: true,
  },
  { name: 'takes "" for true', expression: { $toBool: '$a' }, document: { a: '' }, result: true, wholeInEngine: true },
  {
    name: 'takes "false" for true',
    expression: { $toBool: '$a' },
    document: { a: 'false' },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'takes false for false',
    expression: { $toBool: '$a' },
    document: { a: false },
    result: false,
    wholeInEngine: true,
  },
  {
    name: 'takes [0] for true',
    expression: { $toBool: '$a' },
    document: { a: [0] },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'takes {"b":1} for true',
    expression: { $toBool: '$a' },
    document: { a: { b: 1 } },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'takes a date for true',
    expression: { $toBool: '$a' },
    document: { a: { $date: '1970-01-01T00:00:00.000Z' } },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'is null for null',
    expression: { $toBool: '$a' },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  { name: 'is null for missing', expression: { $toBool: '$nothing' }, result: null },
]
