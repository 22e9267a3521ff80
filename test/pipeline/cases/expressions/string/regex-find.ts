import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'gives the first match',
    expression: { $regexFind: { input: '$a', regex: '([a-z])([0-9])?' } },
    document: { a: '👍b2' },
    result: { match: 'b2', idx: 1, captures: ['b', '2'] },
  },
  {
    name: 'gives null for a group that is not there',
    expression: { $regexFind: { input: 'b', regex: '([a-z])([0-9])?' } },
    result: { match: 'b', idx: 0, captures: ['b', null] },
  },
  {
    name: 'is null without a match',
    expression: { $regexFind: { input: '$a', regex: 'z' } },
    document: { a: 'abc' },
    result: null,
  },
  { name: 'is null for null', expression: { $regexFind: { input: null, regex: 'z' } }, result: null },
  {
    name: 'refuses look-ahead',
    expression: { $regexFind: { input: '$a', regex: 'a(?=b)' } },
    error: 'look-ahead and look-behind are not supported',
  },
  {
    name: 'refuses back-references',
    expression: { $regexFind: { input: '$a', regex: '(a)\\1' } },
    error: 'back-references are not supported',
  },
  {
    name: 'refuses what is no pattern',
    expression: { $regexFind: { input: '$a', regex: '(' } },
    error: 'not a regular expression RE2 reads',
  },
  {
    name: 'refuses unknown options',
    expression: { $regexFind: { input: '$a', regex: 'a', options: 'g' } },
    error: 'the options of a pattern are i, m, s and x',
  },
  {
    name: 'refuses a computed pattern',
    expression: { $regexFind: { input: '$a', regex: '$b' } },
    error: 'takes a constant pattern',
  },
  {
    name: 'refuses a number as input',
    expression: { $regexFind: { input: '$a', regex: 'a' } },
    document: { a: 5 },
    error: '$regexFind takes strings as input, not int',
  },
]
