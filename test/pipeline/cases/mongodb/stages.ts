import type { Case } from '../../../support/pipeline-cases.js'

/** What MongoDB's own tests hold of $densify, $fill, $rank and the accumulators by an order (jstests/aggregation). */

const dense = (name: string, documents: readonly object[], $densify: object, result: readonly object[]): Case => ({
  name,
  documents,
  pipeline: [{ $densify }],
  result,
})

const vals = (part: number, ...values: readonly number[]) => values.map(val => ({ part, val }))

export const cases: readonly Case[] = [
  dense(
    'partitions that come mixed',
    [...vals(0, 0), ...vals(1, 0, 2), ...vals(0, 2)],
    { field: 'val', partitionByFields: ['part'], range: { step: 1, bounds: 'partition' } },
    [...vals(0, 0, 1, 2), ...vals(1, 0, 1, 2)],
  ),
  dense(
    'a partition of one value is dense',
    [...vals(0, 0, 2), ...vals(1, 123)],
    { field: 'val', partitionByFields: ['part'], range: { step: 1, bounds: 'partition' } },
    [...vals(0, 0, 1, 2), ...vals(1, 123)],
  ),
  dense(
    'full: every partition over the whole, what is off the step stays',
    [...vals(0, 0, 4), ...vals(1, 0, 5), ...vals(2, 10)],
    { field: 'val', partitionByFields: ['part'], range: { step: 2, bounds: 'full' } },
    [...vals(0, 0, 2, 4, 6, 8, 10), ...vals(1, 0, 2, 4, 5, 6, 8, 10), ...vals(2, 0, 2, 4, 6, 8, 10)],
  ),
  dense(
    'bounds between which there is nothing',
    [...vals(0, 0), ...vals(1, 4)],
    { field: 'val', partitionByFields: ['part'], range: { step: 1, bounds: [2, 3] } },
    [...vals(0, 0, 2), ...vals(1, 2, 4)],
  ),
  dense(
    'an upper bound off the step',
    [...vals(0, 0), ...vals(1, 10)],
    { field: 'val', partitionByFields: ['part'], range: { step: 2, bounds: [2, 5] } },
    [...vals(0, 0, 2, 4), ...vals(1, 2, 4, 10)],
  ),
  dense(
    'bounds and partitions before, among and behind them',
    [...vals(0, 0), ...vals(1, 5), ...vals(2, 10)],
    { field: 'val', partitionByFields: ['part'], range: { step: 2, bounds: [4, 8] } },
    [...vals(0, 0, 4, 6), ...vals(1, 4, 5, 6), ...vals(2, 4, 6, 10)],
  ),
  {
    name: 'values are filled after methods, from what the methods left',
    documents: [
      { k: 1, second: 1, test: 9 },
      { k: 2, second: null, test: 8 },
    ],
    pipeline: [
      {
        $fill: {
          sortBy: { k: 1 },
          output: {
            val: { value: '$test' },
            second: { method: 'locf' },
            third: { value: { $add: ['$test', '$second'] } },
          },
        },
      },
    ],
    result: [
      { k: 1, second: 1, test: 9, val: 9, third: 10 },
      { k: 2, second: 1, test: 8, val: 8, third: 9 },
    ],
  },
  ...(['$rank', '$denseRank'] as const).map((rank): Case => ({
    name: `${rank} goes by the least element of an array, null and missing are one`,
    documents: [{ i: 0 }, { i: 1, a: null }, { i: 2, a: [null] }, { i: 3, a: ['abc', null] }],
    pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { r: { [rank]: {} } } } }, { $project: { i: 1, r: 1 } }],
    result: [0, 1, 2, 3].map(i => ({ i, r: 1 })),
  })),
  {
    name: '$top and $bottom of a missing output are null',
    documents: [{ a: 1 }, { a: 2 }],
    pipeline: [
      {
        $group: {
          _id: '',
          bottom: { $bottom: { output: '$b', sortBy: { a: 1 } } },
          top: { $top: { output: '$b', sortBy: { a: 1 } } },
        },
      },
    ],
    result: [{ _id: '', bottom: null, top: null }],
  },
  {
    name: '$bottomN by a field inside',
    documents: [4, 2, 3, 1].map(b => ({ a: { b } })),
    pipeline: [{ $group: { _id: '', r: { $bottomN: { n: 3, output: '$a.b', sortBy: { 'a.b': 1 } } } } }],
    result: [{ _id: '', r: [2, 3, 4] }],
    wholeInEngine: true,
  },
  {
    name: '$bottomN by arrays',
    documents: [4, 2, 3, 1].map(i => ({ a: [i, i + 1, i + 2] })),
    pipeline: [{ $group: { _id: '', r: { $bottomN: { n: 3, output: '$a', sortBy: { a: 1 } } } } }],
    result: [{ _id: '', r: [2, 3, 4].map(i => [i, i + 1, i + 2]) }],
    wholeInEngine: true,
  },
  {
    name: '$bottomN by arrays in arrays',
    documents: [4, 2, 3, 1].map(i => ({ a: [[i, i + 1]] })),
    pipeline: [{ $group: { _id: '', r: { $bottomN: { n: 3, output: '$a', sortBy: { a: 1 } } } } }],
    result: [{ _id: '', r: [2, 3, 4].map(i => [[i, i + 1]]) }],
    wholeInEngine: true,
  },
  {
    name: '$bottomN by two keys, one each way',
    documents: [1, 2].flatMap(a => [1, 2].map(b => ({ a, b }))),
    pipeline: [
      { $group: { _id: '', r: { $bottomN: { n: 9, output: { a: '$a', b: '$b' }, sortBy: { a: 1, b: -1 } } } } },
    ],
    result: [{ _id: '', r: [1, 2].flatMap(a => [2, 1].map(b => ({ a, b }))) }],
    wholeInEngine: true,
  },
  {
    name: '$topN takes an n beyond all documents',
    documents: [{ a: 1 }, { a: 2 }],
    pipeline: [{ $group: { _id: null, r: { $topN: { n: 1_000_000, output: '$a', sortBy: { a: -1 } } } } }],
    result: [{ _id: null, r: [2, 1] }],
  },
  ...[[{ sales: 'coffee' }], [{ sales: 2 }], ['sales'], [{}]].map(([sortBy]): Case => ({
    name: `$bottomN is not sorted by ${JSON.stringify(sortBy)}`,
    pipeline: [{ $group: { _id: null, r: { $bottomN: { n: 2, output: '$a', sortBy } } } }],
    error: '$bottomN.sortBy',
  })),
  {
    name: '$derivative over ranges takes the ends of each window',
    documents: [
      [0, 10],
      [10, 12],
      [11, 15],
      [12, 19],
      [13, 24],
      [20, 30],
    ].map(([time, y]) => ({ time, y })),
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { time: 1 },
          output: { dy: { $derivative: { input: '$y' }, window: { range: [-10, 0] } } },
        },
      },
      { $project: { dy: 1 } },
    ],
    result: [null, 0.2, 3, 3.5, 4, 1.8].map(dy => ({ dy: dy === null ? null : { $numberDouble: String(dy) } })),
  },
  {
    name: '$derivative over places that reach beyond the partition',
    documents: [100, 105, 108, 108, 115, 115, 118, 118].map((y, time) => ({ time, y })),
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { time: 1 },
          output: { dy: { $derivative: { input: '$y' }, window: { documents: [-3, 1] } } },
        },
      },
      { $project: { dy: 1 } },
    ],
    result: [5, 4, 8 / 3, 15 / 4, 10 / 4, 10 / 4, 10 / 4, 1].map(dy => ({ dy: { $numberDouble: String(dy) } })),
    wholeInEngine: true,
  },
  {
    name: '$integral over ranges: null where nothing lies in the window',
    documents: [
      [0, 0],
      [4, 2.4],
      [10, 5.6],
      [18, 6.8],
    ].map(([second, y]) => ({ at: { $date: `2026-03-01T00:00:${String(second).padStart(2, '0')}Z` }, y })),
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { at: 1 },
          output: {
            none: { $integral: { input: '$y', unit: 'second' }, window: { range: [-1, -1], unit: 'second' } },
            some: { $integral: { input: '$y', unit: 'second' }, window: { range: [-6, 6], unit: 'second' } },
          },
        },
      },
      { $project: { _id: 0, none: 1, some: 1 } },
    ],
    result: [4.8, 28.8, 24, 0].map(some => ({ none: null, some: { $numberDouble: String(some) } })),
  },
]
