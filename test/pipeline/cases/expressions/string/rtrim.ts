import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'cuts white space',
    expression: { $rtrim: { input: '$a' } },
    document: { a: ' \na b\t' },
    result: ' \na b',
    wholeInEngine: true,
  },
  {
    name: 'cuts characters',
    expression: { $rtrim: { input: '$a', chars: 'x' } },
    document: { a: 'xxbxx' },
    result: 'xxb',
    wholeInEngine: true,
  },
  {
    name: 'cuts nothing without characters',
    expression: { $rtrim: { input: '$a', chars: '' } },
    document: { a: ' a ' },
    result: ' a ',
  },
  {
    name: 'takes a non-breaking blank for white space',
    expression: { $strLenCP: { $rtrim: { input: ' ' } } },
    result: 0,
  },
  {
    name: 'is null for null',
    expression: { $rtrim: { input: '$a' } },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'refuses a number',
    expression: { $rtrim: { input: '$a' } },
    document: { a: 5 },
    error: '$rtrim takes strings, not int',
  },
]
