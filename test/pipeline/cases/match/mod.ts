import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'even numbers',
    documents: [{ a: 4 }, { a: 5 }, { a: 'x' }, {}],
    pipeline: [{ $match: { a: { $mod: [2, 0] } } }],
    result: [{ a: 4 }],
    wholeInEngine: true,
  },
  {
    name: 'fractions are cut off, also of the divisor',
    documents: [{ a: 4.9 }, { a: 5.5 }],
    pipeline: [{ $match: { a: { $mod: [2.9, 0.5] } } }],
    result: [{ a: 4.9 }],
    wholeInEngine: true,
  },
  {
    name: 'the remainder has the sign of the number',
    documents: [{ a: -5 }, { a: 5 }],
    pipeline: [{ $match: { a: { $mod: [3, -2] } } }],
    result: [{ a: -5 }],
    wholeInEngine: true,
  },
  {
    name: 'elements of an array, JSON of any kind',
    documents: [{ a: [1, 4] }, { a: 7 }, { a: 1e300 }, { a: true }],
    pipeline: [{ $match: { a: { $mod: [4, 0] } } }],
    result: [{ a: [1, 4] }],
    wholeInEngine: true,
  },
  {
    name: 'by -1',
    documents: [{ a: 3 }],
    pipeline: [{ $match: { a: { $mod: [-1, 0] } } }],
    result: [{ a: 3 }],
    wholeInEngine: true,
  },
  { name: 'refuses 0', pipeline: [{ $match: { a: { $mod: [0, 1] } } }], error: 'the divisor is not 0' },
  { name: 'refuses one number', pipeline: [{ $match: { a: { $mod: [2] } } }], error: 'a divisor and a remainder' },
  {
    name: 'refuses NaN',
    pipeline: [{ $match: { a: { $mod: [{ $numberDouble: 'NaN' }, 1] } } }],
    error: 'at most 64 bits',
  },
]
