import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'puts strings together',
    expression: { $concat: ['$a', '-', '$b'] },
    document: { a: 'x', b: 'y' },
    result: 'x-y',
    wholeInEngine: true,
  },
  {
    name: 'is null with a null',
    expression: { $concat: ['$a', '$b'] },
    document: { a: 'x', b: null },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'is null with a missing one',
    documents: [{ a: 'x' }, {}],
    pipeline: [{ $project: { _id: 0, value: { $concat: ['$a', '!'] } } }],
    result: [{ value: 'x!' }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a number',
    expression: { $concat: ['$a', '$b'] },
    document: { a: 'x', b: 5 },
    error: '$concat takes strings, not int',
  },
  {
    name: 'stops at a null before a number',
    expression: { $concat: ['$a', '$b'] },
    document: { a: null, b: 5 },
    result: null,
  },
  {
    name: 'refuses a number before a null',
    expression: { $concat: ['$b', '$a'] },
    document: { a: null, b: 5 },
    error: '$concat takes strings, not int',
  },
  {
    name: 'reads an open field',
    documents: [{ a: 'x' }, { a: null }, {}],
    pipeline: [{ $project: { _id: 0, value: { $concat: ['$a', '!'] } } }],
    result: [{ value: 'x!' }, { value: null }, { value: null }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 'x' }, { a: 5 }],
    pipeline: [{ $project: { _id: 0, value: { $concat: ['$a', '!'] } } }],
    error: '$concat takes strings, not int',
  },
  { name: 'is empty over no operands', expression: { $concat: [] }, result: '' },
]
