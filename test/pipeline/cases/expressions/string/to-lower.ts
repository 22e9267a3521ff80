import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'changes letters of ASCII only',
    expression: { $toLower: '$a' },
    document: { a: 'ABC-ÀÉ' },
    result: 'abc-ÀÉ',
    wholeInEngine: true,
  },
  {
    name: 'turns null into an empty string',
    expression: { $toLower: '$a' },
    document: { a: null, b: 1 },
    result: '',
    wholeInEngine: true,
  },
  {
    name: 'turns missing into an empty string',
    documents: [{ a: 'x' }, {}],
    pipeline: [{ $project: { _id: 0, value: { $toLower: '$a' } } }],
    result: [{ value: 'x' }, { value: '' }],
    wholeInEngine: true,
  },
  { name: 'prints an int', expression: { $toLower: '$a' }, document: { a: 5 }, result: '5', wholeInEngine: true },
  { name: 'prints a double', expression: { $toLower: '$a' }, document: { a: 1.5 }, result: '1.5' },
  {
    name: 'prints a date',
    expression: { $toLower: '$a' },
    document: { a: { $date: '2026-03-01T00:00:00.000Z' } },
    result: '2026-03-01t00:00:00.000z',
  },
  {
    name: 'refuses a boolean',
    expression: { $toLower: '$a' },
    document: { a: true },
    error: '$toLower takes strings, numbers and dates, not bool',
  },
]
