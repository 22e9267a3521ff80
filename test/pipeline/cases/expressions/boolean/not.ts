import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'turns false to true',
    expression: { $not: ['$a'] },
    document: { a: false },
    result: true,
    wholeInEngine: true,
  },
  { name: 'turns 0 to true', expression: { $not: ['$a'] }, document: { a: 0 }, result: true, wholeInEngine: true },
  {
    name: 'turns {"$numberDouble":"0"} to true',
    expression: { $not: ['$a'] },
    document: { a: { $numberDouble: '0' } },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'turns null to true',
    expression: { $not: ['$a'] },
    document: { a: null },
    result: true,
    wholeInEngine: true,
  },
  { name: 'turns "" to false', expression: { $not: ['$a'] }, document: { a: '' }, result: false, wholeInEngine: true },
  {
    name: 'turns "0" to false',
    expression: { $not: ['$a'] },
    document: { a: '0' },
    result: false,
    wholeInEngine: true,
  },
  { name: 'turns 1 to false', expression: { $not: ['$a'] }, document: { a: 1 }, result: false, wholeInEngine: true },
  {
    name: 'turns -0.5 to false',
    expression: { $not: ['$a'] },
    document: { a: -0.5 },
    result: false,
    wholeInEngine: true,
  },
  {
    name: 'turns missing to true',
    expression: { $not: ['$nothing'] },
    document: { a: 1 },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'turns an array to false',
    expression: { $not: ['$a'] },
    document: { a: [0] },
    result: false,
    wholeInEngine: true,
  },
]
