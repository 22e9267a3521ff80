import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'replaces',
    expression: { $replaceOne: { input: '$a', find: 'a', replacement: 'o' } },
    document: { a: 'banana' },
    result: 'bonana',
  },
  {
    name: 'keeps a string without a match',
    expression: { $replaceOne: { input: '$a', find: 'z', replacement: 'o' } },
    document: { a: 'banana' },
    result: 'banana',
  },
  {
    name: 'takes $ in the replacement as it is',
    expression: { $replaceOne: { input: 'x', find: 'x', replacement: { $literal: '$&' } } },
    result: '$&',
  },
  {
    name: 'is null for null',
    expression: { $replaceOne: { input: '$a', find: 'a', replacement: 'o' } },
    document: { a: null, b: 1 },
    result: null,
  },
  {
    name: 'refuses a number',
    expression: { $replaceOne: { input: '$a', find: 'a', replacement: 'o' } },
    document: { a: 5 },
    error: '$replaceOne takes strings, not int',
  },
  {
    name: 'refuses a number to find',
    expression: { $replaceOne: { input: '$a', find: 5, replacement: 'o' } },
    document: { a: 'x' },
    error: '$replaceOne takes strings, not int',
  },
]
