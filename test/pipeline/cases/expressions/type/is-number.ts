import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'knows an int', expression: { $isNumber: '$a' }, document: { a: 1 }, result: true, wholeInEngine: true },
  { name: 'knows a double', expression: { $isNumber: '$a' }, document: { a: 1.5 }, result: true, wholeInEngine: true },
  { name: 'knows a string', expression: { $isNumber: '$a' }, document: { a: '1' }, result: false, wholeInEngine: true },
  {
    name: 'is false for missing',
    expression: { $isNumber: '$nothing' },
    document: { a: 1 },
    result: false,
    wholeInEngine: true,
  },
  {
    name: 'looks into an open field',
    documents: [{ a: 1 }, { a: 'x' }, { a: null }, {}],
    pipeline: [{ $project: { _id: 0, value: { $isNumber: '$a' } } }],
    result: [{ value: true }, { value: false }, { value: false }, { value: false }],
    wholeInEngine: true,
  },
]
