import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'lets n through',
    documents: [{ a: 1 }, { a: 2 }],
    pipeline: [{ $limit: 1 }],
    result: [{ a: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'lets all through',
    documents: [{ a: 1 }],
    pipeline: [{ $limit: 9 }],
    result: [{ a: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'keeps the order of a sort before it',
    documents: [{ a: 1 }, { a: 3 }, { a: 2 }],
    pipeline: [{ $sort: { a: -1 } }, { $limit: 2 }],
    result: [{ a: 3 }, { a: 2 }],
    wholeInEngine: true,
  },
  ...[0, -1, 1.5, 'x', null].map(n => ({
    name: `refuses ${JSON.stringify(n)}`,
    pipeline: [{ $limit: n }],
    error: '$limit takes a whole number from 1',
  })),
]
