import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'leaves n out',
    documents: [{ a: 1 }, { a: 2 }],
    pipeline: [{ $skip: 1 }],
    result: [{ a: 2 }],
    wholeInEngine: true,
  },
  { name: 'takes 0', documents: [{ a: 1 }], pipeline: [{ $skip: 0 }], result: [{ a: 1 }], wholeInEngine: true },
  {
    name: 'skips after a sort, then limits',
    documents: [{ a: 1 }, { a: 3 }, { a: 2 }],
    pipeline: [{ $sort: { a: 1 } }, { $skip: 1 }, { $limit: 1 }],
    result: [{ a: 2 }],
    wholeInEngine: true,
  },
  ...[-1, 1.5, 'x'].map(n => ({
    name: `refuses ${JSON.stringify(n)}`,
    pipeline: [{ $skip: n }],
    error: '$skip takes a whole number from 0',
  })),
]
