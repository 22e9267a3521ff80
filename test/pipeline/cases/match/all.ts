import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'all of the values in any order',
    documents: [{ a: ['x', 'y', 'z'] }, { a: ['x'] }, { a: ['y', 'x'] }],
    pipeline: [{ $match: { a: { $all: ['x', 'y'] } } }],
    result: [{ a: ['x', 'y', 'z'] }, { a: ['y', 'x'] }],
    wholeInEngine: true,
  },
  {
    name: 'a single value matches too',
    documents: [{ a: 5 }, { a: [5] }, { a: 6 }],
    pipeline: [{ $match: { a: { $all: [5] } } }],
    result: [{ a: 5 }, { a: [5] }],
    wholeInEngine: true,
  },
  {
    name: 'an array as a value',
    documents: [{ a: [1, 2] }, { a: [[1, 2]] }, { a: [1] }],
    pipeline: [{ $match: { a: { $all: [[1, 2]] } } }],
    result: [{ a: [1, 2] }, { a: [[1, 2]] }],
    wholeInEngine: true,
  },
  {
    name: 'of nothing matches nothing',
    documents: [{ a: [] }, { a: 1 }],
    pipeline: [{ $match: { a: { $all: [] } } }],
    result: [],
    wholeInEngine: true,
  },
  {
    name: 'each value by a walk of its own',
    calls: [
      {
        signals: [
          { key: 'a', state: 'present' },
          { key: 'b', state: 'absent' },
        ],
      },
      { signals: [{ key: 'a', state: 'present' }] },
    ],
    pipeline: [{ $match: { 'signals.key': { $all: ['a', 'b'] } } }, { $project: { _id: 1 } }],
    result: [{ _id: 'c0' }],
    wholeInEngine: true,
  },
  {
    name: 'several $elemMatch',
    calls: [
      {
        signals: [
          { key: 'a', state: 'present' },
          { key: 'b', state: 'absent' },
        ],
      },
      {
        signals: [
          { key: 'a', state: 'absent' },
          { key: 'b', state: 'absent' },
        ],
      },
    ],
    pipeline: [
      {
        $match: {
          signals: {
            $all: [{ $elemMatch: { key: 'a', state: 'present' } }, { $elemMatch: { key: 'b', state: 'absent' } }],
          },
        },
      },
      { $project: { _id: 1 } },
    ],
    result: [{ _id: 'c0' }],
    wholeInEngine: true,
  },
  {
    name: 'under $not',
    documents: [{ a: ['x'] }, { a: ['x', 'y'] }, {}],
    pipeline: [{ $match: { a: { $not: { $all: ['x', 'y'] } } } }],
    result: [{ a: ['x'] }, {}],
    wholeInEngine: true,
  },
  {
    name: 'refuses a mixture',
    pipeline: [{ $match: { a: { $all: [1, { $elemMatch: { b: 1 } }] } } }],
    error: 'not both',
  },
  { name: 'refuses what is no array', pipeline: [{ $match: { a: { $all: 1 } } }], error: '$all takes an array' },
]
