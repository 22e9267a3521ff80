import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'changes letters of ASCII only',
    expression: { $toUpper: '$a' },
    document: { a: 'abc-éß' },
    result: 'ABC-éß',
    wholeInEngine: true,
  },
  {
    name: 'turns null into an empty string',
    expression: { $toUpper: '$a' },
    document: { a: null, b: 1 },
    result: '',
    wholeInEngine: true,
  },
  {
    name: 'turns missing into an empty string',
    documents: [{ a: 'x' }, {}],
    pipeline: [{ $project: { _id: 0, value: { $toUpper: '$a' } } }],
    result: [{ value: 'X' }, { value: '' }],
    wholeInEngine: true,
  },
  { name: 'prints an int', expression: { $toUpper: '$a' }, document: { a: 5 }, result: '5', wholeInEngine: true },
  { name: 'prints a double', expression: { $toUpper: '$a' }, document: { a: 1.5 }, result: '1.5' },
  {
    name: 'prints a date',
    expression: { $toUpper: '$a' },
    document: { a: { $date: '2026-03-01T00:00:00.000Z' } },
    result: '2026-03-01T00:00:00.000Z',
  },
  {
    name: 'refuses a boolean',
    expression: { $toUpper: '$a' },
    document: { a: true },
    error: '$toUpper takes strings, numbers and dates, not bool',
  },
]
