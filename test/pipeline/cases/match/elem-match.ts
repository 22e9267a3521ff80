import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'one element meets all conditions',
    documents: [{ a: [1, 5] }, { a: [3] }, { a: 3 }],
    pipeline: [{ $match: { a: { $elemMatch: { $gt: 2, $lt: 4 } } } }],
    result: [{ a: [3] }],
    wholeInEngine: true,
  },
  {
    name: 'documents as elements',
    calls: [
      {
        signals: [
          { key: 'a', state: 'absent' },
          { key: 'b', state: 'present' },
        ],
      },
      { signals: [{ key: 'a', state: 'present' }] },
    ],
    pipeline: [{ $match: { signals: { $elemMatch: { key: 'a', state: 'present' } } } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c1' }],
    wholeInEngine: true,
  },
  {
    name: 'scalars have no fields and are passed over, arrays count as documents',
    documents: [{ a: [5] }, { a: [{ c: 1 }] }, { a: [[]] }, { a: [[{ b: 1 }]] }],
    pipeline: [{ $match: { a: { $elemMatch: { b: null } } } }],
    result: [{ a: [{ c: 1 }] }, { a: [[]] }, { a: [[{ b: 1 }]] }],
    wholeInEngine: true,
  },
  {
    name: 'nested ones enter one level each',
    documents: [{ a: [[1, 5]] }, { a: [1, 5] }],
    pipeline: [{ $match: { a: { $elemMatch: { $elemMatch: { $gt: 4 } } } } }],
    result: [{ a: [[1, 5]] }],
    wholeInEngine: true,
  },
  {
    name: 'nested in documents',
    calls: [
      { signals: [{ key: 'a', state: 'present', evidence: [{ turn: 3, quote: 'q' }] }] },
      { signals: [{ key: 'a', state: 'present' }] },
    ],
    pipeline: [
      { $match: { signals: { $elemMatch: { key: 'a', evidence: { $elemMatch: { turn: { $gte: 2 } } } } } } },
      { $project: { _id: 1 } },
    ],
    result: [{ _id: 'c0' }],
    wholeInEngine: true,
  },
  {
    name: '$or inside',
    calls: [{ signals: [{ key: 'a', state: 'unclear' }] }, { signals: [{ key: 'b', state: 'present' }] }, {}],
    pipeline: [
      { $match: { signals: { $elemMatch: { $or: [{ key: 'x' }, { state: { $ne: 'present' } }] } } } },
      { $project: { _id: 1 } },
    ],
    result: [{ _id: 'c0' }],
    wholeInEngine: true,
  },
  {
    name: 'under $not',
    documents: [{ a: [1] }, { a: [5] }, {}],
    pipeline: [{ $match: { a: { $not: { $elemMatch: { $gt: 2 } } } } }],
    result: [{ a: [1] }, {}],
    wholeInEngine: true,
  },
  {
    name: 'in session_metadata',
    calls: [
      { session_metadata: { l: [{ x: 1, y: 2 }, { x: 3 }] } },
      { session_metadata: { l: [{ x: 1 }] } },
      { session_metadata: { l: 'x' } },
    ],
    pipeline: [{ $match: { 'session_metadata.l': { $elemMatch: { x: 1, y: { $gt: 1 } } } } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c0' }],
    wholeInEngine: true,
  },
  {
    name: 'refuses $where inside',
    pipeline: [{ $match: { a: { $elemMatch: { $where: '1' } } } }],
    error: 'it runs code',
  },
]
