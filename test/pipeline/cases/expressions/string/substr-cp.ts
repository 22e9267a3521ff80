import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'cuts by characters',
    expression: { $substrCP: ['$a', 1, 2] },
    document: { a: 'é👍ex' },
    result: '👍e',
    wholeInEngine: true,
  },
  {
    name: 'stops at the end',
    expression: { $substrCP: ['$a', 2, 9] },
    document: { a: 'abc' },
    result: 'c',
    wholeInEngine: true,
  },
  {
    name: 'is empty behind the end',
    expression: { $substrCP: ['$a', 9, 2] },
    document: { a: 'abc' },
    result: '',
    wholeInEngine: true,
  },
  {
    name: 'is empty for null',
    expression: { $substrCP: ['$a', 0, 2] },
    document: { a: null, b: 1 },
    result: '',
    wholeInEngine: true,
  },
  {
    name: 'refuses a negative start',
    expression: { $substrCP: ['$a', -1, 2] },
    document: { a: 'abc' },
    error: '$substrCP takes whole numbers from 0',
  },
  {
    name: 'refuses a negative count',
    expression: { $substrCP: ['$a', 0, -1] },
    document: { a: 'abc' },
    error: '$substrCP takes whole numbers from 0',
  },
  {
    name: 'refuses a count beyond 32 bits',
    documents: [{ a: [1, 2], s: 'text', n: 2_000_000_000 }],
    pipeline: [{ $project: { value: { $substrCP: ['$s', 0, 1e300] } } }],
    error: '$substrCP takes whole numbers from 0 as start and count',
  },
  {
    name: 'refuses a start beyond 32 bits',
    documents: [{ a: [1, 2], s: 'text', n: 2_000_000_000 }],
    pipeline: [{ $project: { value: { $substrCP: ['$s', 5_000_000_000, 1] } } }],
    error: '$substrCP takes whole numbers from 0 as start and count',
  },
]
