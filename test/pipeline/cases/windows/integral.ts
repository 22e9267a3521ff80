import type { Case } from '../../../support/pipeline-cases.js'

/** The documents of MongoDB's manual: the power that two meters read each half minute. */
const power = [
  [2.95, 2.7, 2.6, 2.98],
  [2.5, 2.25, 2.75, 2.82],
].flatMap((readings, meter) =>
  readings.map((kilowatts, i) => ({
    meter,
    at: { $date: new Date(Date.UTC(2020, 4, 18, 14, 10, 30 + 30 * i)).toISOString() },
    kilowatts,
  })),
)

/** The energy, rounded: last digits are free. */
const energy = (window?: object) => [
  {
    $setWindowFields: {
      partitionBy: '$meter',
      sortBy: { at: 1 },
      output: { r: { $integral: { input: '$kilowatts', unit: 'hour' }, ...(window && { window }) } },
    },
  },
  { $project: { r: { $round: ['$r', 9] } } },
]

const doubles = (numbers: readonly number[]) => numbers.map(r => ({ r: { $numberDouble: String(r) } }))

export const cases: readonly Case[] = [
  {
    name: 'so far, as in the manual',
    documents: power,
    pipeline: energy({ range: ['unbounded', 'current'], unit: 'hour' }),
    result: doubles([0, 0.023541667, 0.045625, 0.068875, 0, 0.019791667, 0.040625, 0.063833333]),
    wholeInEngine: true,
  },
  {
    name: 'of the whole partition',
    documents: power,
    pipeline: energy(),
    result: doubles([...Array<number>(4).fill(0.068875), ...Array<number>(4).fill(0.063833333)]),
    wholeInEngine: true,
  },
  {
    name: 'of a document and the one before',
    documents: power,
    pipeline: energy({ documents: [-1, 0] }),
    result: doubles([0, 0.023541667, 0.022083333, 0.02325, 0, 0.019791667, 0.020833333, 0.023208333]),
    wholeInEngine: true,
  },
  {
    name: 'of a document by itself',
    documents: power,
    pipeline: energy({ documents: [0, 0] }),
    result: doubles(Array<number>(8).fill(0)),
    wholeInEngine: true,
  },
  {
    name: 'of the documents to come',
    documents: power.slice(0, 4),
    pipeline: energy({ documents: ['current', 'unbounded'] }),
    result: doubles([0.068875, 0.045333333, 0.02325, 0]),
    wholeInEngine: true,
  },
  {
    name: 'of nothing in the window is null',
    documents: [
      { x: 0, a: 2 },
      { x: 2, a: 4 },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: 1 },
          output: { r: { $integral: { input: '$a' }, window: { documents: [-2, -1] } } },
        },
      },
      { $project: { r: 1 } },
    ],
    result: [{ r: null }, { r: 0 }],
  },
  {
    name: 'a call without a number is an error',
    calls: [{ score: 2 }, {}],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { created_dt: 1 },
          output: { r: { $integral: { input: '$score', unit: 'hour' } } },
        },
      },
    ],
    error: '$integral needs a number as input',
  },
  {
    name: 'the area so far',
    documents: [
      { x: 0, a: 2 },
      { x: 2, a: 4 },
      { x: 3, a: 0 },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: 1 },
          output: { r: { $integral: { input: '$a' }, window: { documents: ['unbounded', 'current'] } } },
        },
      },
      { $project: { r: 1 } },
    ],
    result: [{ r: 0 }, { r: 6 }, { r: 8 }],
  },
  {
    name: 'by hours',
    documents: [
      { d: { $date: '2026-01-01T00:00:00Z' }, a: 10 },
      { d: { $date: '2026-01-01T02:00:00Z' }, a: 16 },
    ],
    pipeline: [
      { $setWindowFields: { sortBy: { d: 1 }, output: { r: { $integral: { input: '$a', unit: 'hour' } } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: 26 }, { r: 26 }],
  },
  {
    name: 'a text is an error',
    documents: [{ x: 1, a: 'x' }],
    pipeline: [{ $setWindowFields: { sortBy: { x: 1 }, output: { r: { $integral: { input: '$a' } } } } }],
    error: '$integral needs a number as input',
  },
  {
    name: 'is the area below by a field that descends',
    documents: [1, 2, 1, 4].map((y, x) => ({ x, y })),
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { x: -1 },
          output: { r: { $integral: { input: { $subtract: [0, '$y'] } }, window: { documents: [0, 1] } } },
        },
      },
      { $sort: { x: 1 } },
      { $project: { r: 1 } },
    ],
    result: [0, 1.5, 1.5, 2.5].map(r => ({ r: { $numberDouble: String(r) } })),
  },
]
