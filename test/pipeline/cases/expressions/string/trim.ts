import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'cuts white space',
    expression: { $trim: { input: '$a' } },
    document: { a: ' \na b\t' },
    result: 'a b',
    wholeInEngine: true,
  },
  {
    name: 'cuts characters',
    expression: { $trim: { input: '$a', chars: 'x' } },
    document: { a: 'xxbxx' },
    result: 'b',
    wholeInEngine: true,
  },
  {
    name: 'cuts nothing without characters',
    expression: { $trim: { input: '$a', chars: '' } },
    document: { a: ' a ' },
    result: ' a ',
  },
  {
    name: 'takes a non-breaking blank for white space',
    expression: { $strLenCP: { $trim: { input: ' ' } } },
    result: 0,
  },
  {
    name: 'is null for null',
    expression: { $trim: { input: '$a' } },
    document: { a: null, b: 1 },
    result: null,
    wholeInEngine: true,
  },
  {
    name: 'refuses a number',
    expression: { $trim: { input: '$a' } },
    document: { a: 5 },
    error: '$trim takes strings, not int',
  },
]
