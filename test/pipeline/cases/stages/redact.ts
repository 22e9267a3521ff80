import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'keeps or drops whole documents',
    calls: [{ score: 4 }, { score: 2 }],
    pipeline: [{ $redact: { $cond: [{ $gte: ['$score', 3] }, '$$KEEP', '$$PRUNE'] } }, { $project: { score: 1 } }],
    result: [{ _id: 'c0', score: 4 }],
    wholeInEngine: true,
  },
  {
    name: 'descends into documents and arrays of them',
    documents: [{ level: 1, a: { level: 5, x: 1 }, b: [{ level: 2 }, { level: 9 }, 7, [{ level: 9 }]] }],
    pipeline: [{ $redact: { $cond: [{ $gt: ['$level', 4] }, '$$PRUNE', '$$DESCEND'] } }],
    result: [{ level: 1, b: [{ level: 2 }, 7, []] }],
  },
  {
    name: 'keeps what is beneath',
    documents: [{ a: { keep: true, b: { secret: 1 } }, c: { b: 2 } }],
    pipeline: [{ $redact: { $cond: ['$keep', '$$KEEP', { $cond: ['$c', '$$DESCEND', '$$PRUNE'] }] } }],
    result: [{ a: { keep: true, b: { secret: 1 } } }],
  },
  {
    name: 'fields are those of the level, $$ROOT is the whole',
    documents: [{ limit: 3, a: { n: 2 }, b: { n: 5 } }],
    pipeline: [{ $redact: { $cond: [{ $gt: ['$n', '$$ROOT.limit'] }, '$$PRUNE', '$$DESCEND'] } }],
    result: [{ limit: 3, a: { n: 2 } }],
  },
  {
    name: 'any other answer is an error',
    documents: [{ a: 1 }],
    pipeline: [{ $redact: '$a' }],
    error: '$redact must give $$KEEP, $$PRUNE or $$DESCEND',
  },
  { name: 'the answers exist only here', pipeline: [{ $project: { a: '$$KEEP' } }], error: 'is not known' },
]
