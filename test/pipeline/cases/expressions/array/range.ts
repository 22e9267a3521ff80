import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'counts up', expression: { $range: [0, 3] }, document: { a: 1 }, result: [0, 1, 2], wholeInEngine: true },
  {
    name: 'counts by a step',
    expression: { $range: [0, 10, 4] },
    document: { a: 1 },
    result: [0, 4, 8],
    wholeInEngine: true,
  },
  {
    name: 'counts down',
    expression: { $range: [3, 0, -1] },
    document: { a: 1 },
    result: [3, 2, 1],
    wholeInEngine: true,
  },
  {
    name: 'is empty the wrong way',
    expression: { $range: [3, 0] },
    document: { a: 1 },
    result: [],
    wholeInEngine: true,
  },
  { name: 'refuses step 0', expression: { $range: [0, 3, 0] }, error: '$range takes a step other than 0' },
  { name: 'refuses fractions', expression: { $range: [0.5, 3] }, error: '$range takes whole numbers of 32 bits' },
  {
    name: 'refuses null',
    expression: { $range: [0, '$a'] },
    document: { a: null },
    error: '$range takes whole numbers of 32 bits',
  },
  {
    name: 'refuses a billion items',
    expression: { $range: [0, 1000000000] },
    error: '$range makes an array of more than 1000000 items',
  },
  { name: 'reads fields', expression: { $range: [0, '$a'] }, document: { a: 2 }, result: [0, 1] },
  {
    name: 'refuses the first number beyond 32 bits',
    documents: [{ a: [1, 2], s: 'text', n: 2_000_000_000 }],
    pipeline: [{ $project: { value: { $range: [0, 2_147_483_648, 2_000_000_000] } } }],
    error: '$range takes whole numbers of 32 bits',
  },
  {
    name: 'takes doubles that are whole',
    expression: { $range: [{ $numberDouble: '0' }, { $numberDouble: '4' }, { $numberDouble: '2' }] },
    document: {},
    result: [0, 2],
  },
]
