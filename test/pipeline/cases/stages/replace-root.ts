import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'a document inside takes the place of the whole',
    documents: [{ _id: 1, a: { b: 1, c: 2 } }],
    pipeline: [{ $replaceRoot: { newRoot: '$a' } }],
    result: [{ b: 1, c: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'an unwound document',
    calls: [
      {
        signals: [
          { key: 'k', state: 'present' },
          { key: 'l', state: 'absent', strength: 0.5 },
        ],
      },
    ],
    pipeline: [{ $unwind: '$signals' }, { $replaceRoot: { newRoot: '$signals' } }],
    result: [
      { key: 'k', state: 'present' },
      { key: 'l', state: 'absent', strength: 0.5 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a document that is written out, missing fields left out',
    calls: [{ score: 2 }, {}],
    pipeline: [{ $replaceRoot: { newRoot: { who: '$agent_name', score: '$score', gone: '$nothing' } } }],
    result: [{ who: 'Ana', score: 2 }, { who: 'Ana' }],
    wholeInEngine: true,
  },
  {
    name: '$$ROOT changes nothing',
    documents: [{ a: 1 }],
    pipeline: [{ $replaceRoot: { newRoot: '$$ROOT' } }],
    result: [{ a: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'anything but a document is an error',
    documents: [{ a: 1 }],
    pipeline: [{ $replaceRoot: { newRoot: '$a' } }],
    error: '$replaceRoot needs a document as the new root, not int',
  },
  {
    name: 'so is nothing',
    calls: [{ trust: { level: 'high' } }, {}],
    pipeline: [{ $replaceRoot: { newRoot: '$trust' } }],
    error: '$replaceRoot needs a document as the new root, not missing',
  },
  {
    name: 'a document that all calls have after a filter',
    calls: [{ trust: { level: 'high' } }, {}],
    pipeline: [{ $match: { trust: { $exists: true } } }, { $replaceRoot: { newRoot: '$trust' } }],
    result: [{ level: 'high' }],
    wholeInEngine: true,
  },
  { name: 'needs newRoot', pipeline: [{ $replaceRoot: {} }], error: '$replaceRoot needs newRoot' },
  { name: 'refuses a constant', pipeline: [{ $replaceRoot: { newRoot: 5 } }], error: 'needs a document' },
  { name: 'refuses other options', pipeline: [{ $replaceRoot: { newroot: '$a' } }], error: 'Did you mean newRoot?' },
]
