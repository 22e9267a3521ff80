import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'gives the groups of every match',
    documents: [{ a: 'a1 é b22' }, { a: '' }, {}],
    pipeline: [{ $project: { r: { $regexFindAll: { input: '$a', regex: '([a-z])([0-9]+)' } } } }],
    result: [
      {
        r: [
          { match: 'a1', idx: 0, captures: ['a', '1'] },
          { match: 'b22', idx: 5, captures: ['b', '22'] },
        ],
      },
      { r: [] },
      { r: [] },
    ],
    wholeInEngine: true,
  },
  {
    name: 'gives every match',
    expression: { $regexFindAll: { input: '$a', regex: '[0-9]+' } },
    document: { a: '1 👍 22' },
    result: [
      { match: '1', idx: 0, captures: [] },
      { match: '22', idx: 4, captures: [] },
    ],
  },
  {
    name: 'takes ^ for the start of the text only',
    expression: { $regexFindAll: { input: 'aa', regex: '^a' } },
    result: [{ match: 'a', idx: 0, captures: [] }],
  },
  {
    name: 'is [] without a match',
    expression: { $regexFindAll: { input: '$a', regex: 'z' } },
    document: { a: 'abc' },
    result: [],
  },
  { name: 'is [] for missing', expression: { $regexFindAll: { input: '$nothing', regex: 'z' } }, result: [] },
  {
    name: 'refuses look-ahead',
    expression: { $regexFindAll: { input: '$a', regex: 'a(?=b)' } },
    error: 'look-ahead and look-behind are not supported',
  },
  {
    name: 'refuses back-references',
    expression: { $regexFindAll: { input: '$a', regex: '(a)\\1' } },
    error: 'back-references are not supported',
  },
  {
    name: 'refuses what is no pattern',
    expression: { $regexFindAll: { input: '$a', regex: '(' } },
    error: 'not a regular expression RE2 reads',
  },
  {
    name: 'refuses unknown options',
    expression: { $regexFindAll: { input: '$a', regex: 'a', options: 'g' } },
    error: 'the options of a pattern are i, m, s and x',
  },
  {
    name: 'refuses a computed pattern',
    expression: { $regexFindAll: { input: '$a', regex: '$b' } },
    error: 'takes a constant pattern',
  },
  {
    name: 'refuses a number as input',
    expression: { $regexFindAll: { input: '$a', regex: 'a' } },
    document: { a: 5 },
    error: '$regexFindAll takes strings as input, not int',
  },
]
