import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'counts characters',
    expression: { $strLenCP: '$a' },
    document: { a: 'é👍e' },
    result: 3,
    wholeInEngine: true,
  },
  { name: 'counts none', expression: { $strLenCP: '$a' }, document: { a: '' }, result: 0, wholeInEngine: true },
  {
    name: 'refuses null',
    expression: { $strLenCP: '$a' },
    document: { a: null, b: 1 },
    error: '$strLenCP takes strings, not null',
  },
  {
    name: 'refuses a missing one',
    documents: [{ a: 'x' }, {}],
    pipeline: [{ $project: { _id: 0, value: { $strLenCP: '$a' } } }],
    error: '$strLenCP takes strings, not missing',
  },
  {
    name: 'refuses a number',
    expression: { $strLenCP: '$a' },
    document: { a: 5 },
    error: '$strLenCP takes strings, not int',
  },
]
