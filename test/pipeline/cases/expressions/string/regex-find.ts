import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'gives the groups, as in the manual',
    documents: [
      { a: "Hi, I'm just reading about MongoDB -- aunt.arc.tica@example.com" },
      { a: 'I wanted to concatenate a string' },
      { a: 'How do I convert a date to string? Contact me at either cam@mongodb.com or c.dia@mongodb.com' },
      { a: "It's just me. I'm testing.  fred@MongoDB.com" },
    ],
    pipeline: [
      {
        $project: {
          r: { $regexFind: { input: '$a', regex: '([a-z0-9_.+-]+)@[a-z0-9_.+-]+\\.[a-z0-9_.+-]+', options: 'i' } },
        },
      },
    ],
    result: [
      { r: { match: 'aunt.arc.tica@example.com', idx: 38, captures: ['aunt.arc.tica'] } },
      { r: null },
      { r: { match: 'cam@mongodb.com', idx: 56, captures: ['cam'] } },
      { r: { match: 'fred@MongoDB.com', idx: 28, captures: ['fred'] } },
    ],
    wholeInEngine: true,
  },
  {
    name: 'gives groups in groups, named ones and those of the last repetition',
    documents: [{ a: 'é7 ab cd' }, { a: '' }],
    pipeline: [{ $project: { r: { $regexFind: { input: '$a', regex: '((?P<d>[0-9]?)(?: ([a-z]+))+)' } } } }],
    result: [{ r: { match: '7 ab cd', idx: 1, captures: ['7 ab cd', '7', 'cd'] } }, { r: null }],
    wholeInEngine: true,
  },
  ...[
    { regex: '(a)|(b)', captures: [null, 'b'] },
    { regex: '(?:(a)|b)', captures: [null] },
    { regex: '(b)(c)*', captures: ['b', null] },
    { regex: '(b)(?:(c)){0,2}', captures: ['b', null] },
  ].map(({ regex, captures }): Case => ({
    name: `a group that takes no part is null: ${regex}`,
    documents: [{ a: 'b' }],
    pipeline: [{ $project: { r: { $regexFind: { input: '$a', regex } } } }],
    result: [{ r: { match: 'b', idx: 0, captures } }],
  })),
  ...[
    { regex: '(a|b)', captures: ['b'] },
    { regex: '(a?)b()', captures: ['', ''] },
    { regex: '[(|]?(b)', captures: ['b'] },
    { regex: '(?i:(B)){1,2}', captures: ['b'] },
  ].map(({ regex, captures }): Case => ({
    name: `a group that takes part is a text: ${regex}`,
    documents: [{ a: 'b' }],
    pipeline: [{ $project: { r: { $regexFind: { input: '$a', regex } } } }],
    result: [{ r: { match: 'b', idx: 0, captures } }],
    wholeInEngine: true,
  })),
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
