import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'by hours',
    documents: [
      { d: { $date: '2026-01-01T00:00:00Z' }, a: 10 },
      { d: { $date: '2026-01-01T02:00:00Z' }, a: 16 },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { d: 1 },
          output: { r: { $derivative: { input: '$a', unit: 'hour' }, window: { documents: [-1, 0] } } },
        },
      },
      { $project: { r: 1 } },
    ],
    result: [{ r: null }, { r: 3 }],
  },
  {
    name: 'by numbers',
    documents: [
      { x: 1, a: 1 },
      { x: 3, a: 9 },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: 1 },
          output: { r: { $derivative: { input: '$a' }, window: { documents: ['unbounded', 'unbounded'] } } },
        },
      },
      { $project: { r: 1 } },
    ],
    result: [{ r: 4 }, { r: 4 }],
  },
  {
    name: 'dates need a unit',
    documents: [{ d: { $date: '2026-01-01' }, a: 1 }],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { d: 1 },
          output: { r: { $derivative: { input: '$a' }, window: { documents: [-1, 0] } } },
        },
      },
    ],
    error: '$derivative needs numbers in the field that is sorted by, or a unit',
  },
  {
    name: 'a missing input is an error',
    documents: [{ x: 1 }],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: 1 },
          output: { r: { $derivative: { input: '$a' }, window: { documents: [-1, 0] } } },
        },
      },
    ],
    error: '$derivative needs a number as input',
  },
  {
    name: 'needs a window',
    pipeline: [{ $setWindowFields: { sortBy: { x: 1 }, output: { r: { $derivative: { input: '$a' } } } } }],
    error: '$derivative needs a window',
  },
  {
    name: 'months are of no fixed length',
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: 1 },
          output: { r: { $derivative: { input: '$a', unit: 'month' }, window: { documents: [-1, 0] } } },
        },
      },
    ],
    error: 'is a unit of fixed length',
  },
  {
    name: 'runs in the engine over dates and numbers that are always there',
    calls: [
      { created_dt: '2026-01-01T00:00:00Z', agent_name: 'Ana' },
      { created_dt: '2026-01-01T12:00:00Z', agent_name: 'Ana' },
      { created_dt: '2026-01-03T00:00:00Z', agent_name: 'Ana' },
      { created_dt: '2026-01-03T00:00:00Z', agent_name: 'Ben' },
    ],
    wholeInEngine: true,
    pipeline: [
      {
        $group: {
          _id: { agent: '$agent_name', day: { $dateTrunc: { date: '$created_dt', unit: 'day' } } },
          calls: { $sum: 1 },
        },
      },
      { $set: { day: '$_id.day' } },
      {
        $setWindowFields: {
          partitionBy: '$_id.agent',
          sortBy: { day: 1 },
          output: { rate: { $derivative: { input: '$calls', unit: 'day' }, window: { documents: [-1, 0] } } },
        },
      },
      { $project: { _id: 0, calls: 1, rate: 1 } },
    ],
    result: [
      { calls: 2, rate: null },
      { calls: 1, rate: { $numberDouble: '-0.5' } },
      { calls: 1, rate: null },
    ],
  },
  {
    name: 'fails for a document without the input only where it begins or ends a window',
    documents: [{ x: 1, a: 1 }, { x: 2 }, { x: 3, a: 5 }],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: 1 },
          output: { r: { $derivative: { input: '$a' }, window: { documents: ['unbounded', 'unbounded'] } } },
        },
      },
      { $project: { r: 1 } },
    ],
    result: [{ r: { $numberDouble: '2' } }, { r: { $numberDouble: '2' } }, { r: { $numberDouble: '2' } }],
  },
  {
    name: 'a window before the document may be empty',
    documents: [
      { x: 1, a: 1 },
      { x: 2, a: 4 },
      { x: 4, a: 10 },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: 1 },
          output: { r: { $derivative: { input: '$a' }, window: { documents: [-2, -1] } } },
        },
      },
      { $project: { r: 1 } },
    ],
    result: [{ r: null }, { r: null }, { r: { $numberDouble: '3' } }],
  },
  {
    name: 'is the same by a field that descends, with the window turned round',
    documents: [1, 2, 1, 4].map((y, x) => ({ x, y })),
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: -1 },
          output: { r: { $derivative: { input: '$y' }, window: { documents: [0, 1] } } },
        },
      },
      { $sort: { x: 1 } },
      { $project: { r: 1 } },
    ],
    result: [{ r: null }, { r: 1 }, { r: -1 }, { r: 3 }].map(({ r }) => ({
      r: r === null ? r : { $numberDouble: String(r) },
    })),
    wholeInEngine: true,
  },
]
