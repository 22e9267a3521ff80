import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  { name: 'finds by bytes', expression: { $indexOfBytes: ['$a', 'e'] }, document: { a: 'é👍e' }, result: 6 },
  { name: 'is -1 without one', expression: { $indexOfBytes: ['$a', 'z'] }, document: { a: 'abc' }, result: -1 },
  { name: 'is null for null', expression: { $indexOfBytes: [null, 'x'] }, result: null },
  {
    name: 'refuses a negative start',
    expression: { $indexOfBytes: ['$a', 'x', -1] },
    document: { a: 'x' },
    error: '$indexOfBytes takes whole numbers from 0',
  },
]
