import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'finds a plain text',
    expression: { $regexMatch: { input: '$a', regex: 'fun' } },
    document: { a: 'refund' },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'finds by a pattern',
    expression: { $regexMatch: { input: '$a', regex: '^re.u' } },
    document: { a: 'refund' },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'minds case',
    expression: { $regexMatch: { input: '$a', regex: 'R' } },
    document: { a: 'refund' },
    result: false,
    wholeInEngine: true,
  },
  {
    name: 'does not with i',
    expression: { $regexMatch: { input: '$a', regex: 'RE', options: 'i' } },
    document: { a: 'refund' },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'lets the dot cross lines with s',
    expression: { $regexMatch: { input: '$a', regex: 'a.b', options: 's' } },
    document: { a: 'a\nb' },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'lets ^ see lines with m',
    expression: { $regexMatch: { input: '$a', regex: '^b', options: 'm' } },
    document: { a: 'a\nb' },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'leaves blanks out with x',
    expression: { $regexMatch: { input: '$a', regex: 'a b # letters', options: 'x' } },
    document: { a: 'ab' },
    result: true,
    wholeInEngine: true,
  },
  {
    name: 'is false for null',
    expression: { $regexMatch: { input: '$a', regex: 'x' } },
    document: { a: null, b: 1 },
    result: false,
    wholeInEngine: true,
  },
  {
    name: 'is false for missing',
    documents: [{ a: 'x' }, {}],
    pipeline: [{ $project: { _id: 0, value: { $regexMatch: { input: '$a', regex: 'x' } } } }],
    result: [{ value: true }, { value: false }],
    wholeInEngine: true,
  },
  {
    name: 'refuses a number of an open field',
    documents: [{ a: 'x' }, { a: 5 }],
    pipeline: [{ $project: { _id: 0, value: { $regexMatch: { input: '$a', regex: 'x' } } } }],
    error: '$regexMatch takes strings as input, not int',
  },
  {
    name: 'refuses look-ahead',
    expression: { $regexMatch: { input: '$a', regex: 'a(?=b)' } },
    error: 'look-ahead and look-behind are not supported',
  },
  {
    name: 'refuses back-references',
    expression: { $regexMatch: { input: '$a', regex: '(a)\\1' } },
    error: 'back-references are not supported',
  },
  {
    name: 'refuses what is no pattern',
    expression: { $regexMatch: { input: '$a', regex: '(' } },
    error: 'not a regular expression RE2 reads',
  },
  {
    name: 'refuses unknown options',
    expression: { $regexMatch: { input: '$a', regex: 'a', options: 'g' } },
    error: 'the options of a pattern are i, m, s and x',
  },
  {
    name: 'refuses a computed pattern',
    expression: { $regexMatch: { input: '$a', regex: '$b' } },
    error: 'takes a constant pattern',
  },
  {
    name: 'refuses a number as input',
    expression: { $regexMatch: { input: '$a', regex: 'a' } },
    document: { a: 5 },
    error: '$regexMatch takes strings as input, not int',
  },
]
