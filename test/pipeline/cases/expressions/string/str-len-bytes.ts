import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'counts bytes of UTF-8',
    expression: { $strLenBytes: '$a' },
    document: { a: 'é👍e' },
    result: 7,
    wholeInEngine: true,
  },
  {
    name: 'refuses null',
    expression: { $strLenBytes: '$a' },
    document: { a: null, b: 1 },
    error: '$strLenBytes takes strings, not null',
  },
]
