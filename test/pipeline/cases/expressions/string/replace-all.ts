import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'replaces',
    expression: { $replaceAll: { input: '$a', find: 'a', replacement: 'o' } },
    document: { a: 'banana' },
    result: 'bonono',
  },
  {
    name: 'keeps a string without a match',
    expression: { $replaceAll: { input: '$a', find: 'z', replacement: 'o' } },
    document: { a: 'banana' },
    result: 'banana',
  },
  {
    name: 'takes $ in the replacement as it is',
    expression: { $replaceAll: { input: 'x', find: 'x', replacement: { $literal: '$&' } } },
    result: '$&',
  },
  {
    name: 'is null for null',
    expression: { $replaceAll: { input: '$a', find: 'a', replacement: 'o' } },
    document: { a: null, b: 1 },
    result: null,
  },
  {
    name: 'refuses a number',
    expression: { $replaceAll: { input: '$a', find: 'a', replacement: 'o' } },
    document: { a: 5 },
    error: '$replaceAll takes strings, not int',
  },
  {
    name: 'refuses a number to find',
    expression: { $replaceAll: { input: '$a', find: 5, replacement: 'o' } },
    document: { a: 'x' },
    error: '$replaceAll takes strings, not int',
  },
]
