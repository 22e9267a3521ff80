import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'knows an array', expression: { $isArray: '$a' }, document: { a: ['x'] }, result: true, wholeInEngine: true },
  {
    name: 'knows what is none',
    expression: { $isArray: ['$a'] },
    document: { a: 'x' },
    result: false,
    wholeInEngine: true,
  },
  {
    name: 'looks into an open field',
    documents: [{ a: [1] }, { a: 'x' }, { a: null }, {}],
    pipeline: [{ $project: { _id: 0, value: { $isArray: '$a' } } }],
    result: [{ value: true }, { value: false }, { value: false }, { value: false }],
    wholeInEngine: true,
  },
]
