import type { Case } from '../../../support/pipeline-cases.js'

const documents = [{ a: 7 }, { a: [5, 3] }, { a: 4 }, { a: 8 }, { a: -1 }, { a: 3.5 }, { a: 'x' }, {}]

export const cases: readonly Case[] = [
  {
    name: 'by a mask',
    documents,
    pipeline: [{ $match: { a: { $bitsAnyClear: 3 } } }],
    result: [{ a: [5, 3] }, { a: 4 }, { a: 8 }],
    wholeInEngine: true,
  },
  {
    name: 'by places',
    documents,
    pipeline: [{ $match: { a: { $bitsAnyClear: [0, 1] } } }],
    result: [{ a: [5, 3] }, { a: 4 }, { a: 8 }],
    wholeInEngine: true,
  },
  {
    name: 'beyond 64 bits the sign goes on',
    documents,
    pipeline: [{ $match: { a: { $bitsAnyClear: [100] } } }],
    result: [{ a: 7 }, { a: [5, 3] }, { a: 4 }, { a: 8 }],
    wholeInEngine: true,
  },
  { name: 'refuses negatives', pipeline: [{ $match: { a: { $bitsAnyClear: -1 } } }], error: 'takes a mask' },
  {
    name: 'refuses negative places',
    pipeline: [{ $match: { a: { $bitsAnyClear: [-1] } } }],
    error: 'the place of a bit',
  },
]
