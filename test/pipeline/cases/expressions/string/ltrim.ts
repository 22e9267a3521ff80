import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'cuts white space',
    expression: { $ltrim: { input: '$a' } },
    document: { a: ' \na b\t' },
    result: 'a b\t',
    wholeInEngine: true,
  },
  {
    name: 'cuts characters',
    expression: { $ltrim: { input: '$a', chars: 'x' } },
    document: { a: 'xxbxx' },
    result: 'bxx',
    wholeInEngine: true,
  },
  {
    name: 'cuts nothing without characters',
    expression: { $ltrim: { input: '$a', chars: '' } },
    document: { a: ' a ' },
    result: ' a ',
  },
  {
    name: 'takes a non-breaking blank for white space',
    expression: { $strLenCP: { $ltrim: { input: ' ' } } },
    result: 0,
  },
  {
    name: 'is null for null',
    expression: { $ltrim: { input: '$a' } },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'refuses a number',
    expression: { $ltrim: { input: '$a' } },
    document: { a: 5 },
    error: '$ltrim takes strings, not int',
  },
]
