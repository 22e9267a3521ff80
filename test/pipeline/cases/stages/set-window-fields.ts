import type { Case } from '../../../support/pipeline-cases.js'
import { under } from '../../../support/rule-rows.js'

/** Numbers that are not evenly apart, with a tie, and the same as seconds. */
const VALUES = [0, 1, 1.5, 2, 3, 100, 100, 101]
const seconds = (value: number) => ({ $date: new Date(Date.UTC(2026, 2, 1) + value * 1000).toISOString() })

type Bounds = readonly [lower: unknown, upper: unknown]

/** How many values a range holds and their sum, at each of VALUES; by number and by second. */
function range(bounds: Bounds, held: readonly (readonly number[])[]): readonly Case[] {
  const sums = held.map(values => ({ n: values.length, sum: values.reduce((sum, value) => sum + value, 0) }))
  const over = (name: string, of: (value: number) => unknown, unit: object): Case => ({
    name,
    documents: VALUES.map((value, i) => ({ i, at: of(value), value })),
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { at: 1 },
          output: {
            n: { $count: {}, window: { range: bounds, ...unit } },
            sum: { $sum: '$value', window: { range: bounds, ...unit } },
          },
        },
      },
      { $project: { _id: 0, n: 1, sum: 1 } },
    ],
    result: sums,
    wholeInEngine: true,
  })
  const name = `a range of ${JSON.stringify(bounds)}`
  return [
    over(name, value => ({ $numberDouble: String(value) }), {}),
    over(`${name} seconds`, seconds, { unit: 'second' }),
  ]
}

const before = (count: number) => VALUES.slice(0, count)
const after = (count: number) => VALUES.slice(count)

/** MongoDB's own test of ranges (jstests/…/setWindowFields/range.js and time.js), each side a value or unbounded. */
const ranges: readonly Case[] = [
  ...range([-1, 0], [[0], [0, 1], [1, 1.5], [1, 1.5, 2], [2, 3], [100, 100], [100, 100], [100, 100, 101]]),
  ...range(['unbounded', 0], [1, 2, 3, 4, 5, 7, 7, 8].map(before)),
  ...range([0, 'unbounded'], [0, 1, 2, 3, 4, 5, 5, 7].map(after)),
  ...range(
    ['unbounded', 'unbounded'],
    VALUES.map(() => VALUES),
  ),
  ...range([-1, -1], [[], [0], [], [1], [2], [], [], [100, 100]]),
  ...range([1, 1], [[1], [2], [], [3], [], [101], [101], []]),
  ...range(['unbounded', -99], [0, 0, 0, 0, 0, 2, 2, 4].map(before)),
  ...range([99, 'unbounded'], [5, 5, 7, 7, 8, 8, 8, 8].map(after)),
  ...range([0, 0], [[0], [1], [1.5], [2], [3], [100, 100], [100, 100], [101]]),
]

/** The same where a side is the document at hand. */
const currents: readonly Case[] = [
  ...range(
    ['current', 'current'],
    VALUES.map(value => [value]),
  ),
  ...range(
    ['unbounded', 'current'],
    VALUES.map((_, i) => before(i + 1)),
  ),
  ...range(
    ['current', 'unbounded'],
    VALUES.map((_, i) => after(i)),
  ),
  ...range(['current', 1], [[0, 1], [1, 1.5, 2], [1.5, 2], [2, 3], [3], [100, 100, 101], [100, 101], [101]]),
  ...range([-97, 'current'], [...[1, 2, 3, 4, 5].map(before), [3, 100], [3, 100, 100], [100, 100, 101]]),
  ...range(['current', 0], [[0], [1], [1.5], [2], [3], [100, 100], [100], [101]]),
  ...range([0, 'current'], [[0], [1], [1.5], [2], [3], [100], [100, 100], [101]]),
  {
    name: 'ends and lists over ranges that end with the document',
    documents: [1, 2, 2, 3, 9].map((d, i) => ({ _id: i, p: 'x', d })),
    pipeline: [
      {
        $setWindowFields: {
          partitionBy: '$p',
          sortBy: { d: 1 },
          output: {
            first: { $first: '$_id', window: { range: [-1, 'current'] } },
            last: { $last: '$_id', window: { range: ['current', 1] } },
            values: { $push: '$d', window: { range: ['current', 'current'] } },
            number: { $documentNumber: {} },
          },
        },
      },
      { $project: { first: 1, last: 1, values: 1, number: 1 } },
    ],
    result: [
      { _id: 0, first: 0, last: 2, values: [1], number: 1 },
      { _id: 1, first: 0, last: 3, values: [2], number: 2 },
      { _id: 2, first: 0, last: 3, values: [2], number: 3 },
      { _id: 3, first: 1, last: 3, values: [3], number: 4 },
      { _id: 4, first: 4, last: 4, values: [9], number: 5 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'in each partition, over what may be missing',
    documents: [
      { p: 1, d: 1 },
      { p: 1, d: 1 },
      { p: 2, d: 1 },
      { p: 2, d: 1, v: 5 },
    ],
    pipeline: [
      {
        $setWindowFields: {
          partitionBy: '$p',
          sortBy: { d: 1 },
          output: {
            n: { $count: {}, window: { range: [-5, 'current'] } },
            max: { $max: '$v', window: { range: ['current', 2] } },
          },
        },
      },
      { $project: { p: 1, n: 1, max: 1 } },
    ],
    result: [
      { p: 1, n: 1, max: null },
      { p: 1, n: 2, max: null },
      { p: 2, n: 1, max: 5 },
      { p: 2, n: 2, max: 5 },
    ],
    wholeInEngine: true,
  },
  ...(['range', 'documents'] as const).flatMap(kind =>
    [
      ['current', -1],
      [1, 'current'],
    ].map((bounds): Case => ({
      name: `refuses ${kind} of ${JSON.stringify(bounds)}`,
      pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { n: { $count: {}, window: { [kind]: bounds } } } } }],
      error: 'the lower bound is not above the upper one',
    })),
  ),
  ...[[{ a: 1 }, { b: 1 }], [{ a: 'x' }], [{ a: { $date: '2026-03-01T00:00:00Z' } }]].flatMap(documents =>
    [
      ['unbounded', 'unbounded'],
      ['unbounded', 'current'],
      ['current', 5],
      [999, 999],
    ].map((bounds): Case => ({
      name: `${JSON.stringify(bounds)} over ${JSON.stringify(documents)}`,
      documents,
      pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { n: { $count: {}, window: { range: bounds } } } } }],
      error: '$setWindowFields needs numbers',
    })),
  ),
  {
    name: 'refuses a range of two fields',
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { a: 1, b: 1 },
          output: { n: { $count: {}, window: { range: ['unbounded', 'current'] } } },
        },
      },
    ],
    error: 'one ascending field',
  },
]

export const cases: readonly Case[] = [
  ...ranges,
  ...under('current in a range', ...currents),
  {
    name: 'a running total in each partition',
    calls: [
      { agent_name: 'Ana', score: 1 },
      { agent_name: 'Ben', score: 2 },
      { agent_name: 'Ana', score: 3 },
      { agent_name: 'Ana' },
    ],
    pipeline: [
      {
        $setWindowFields: {
          partitionBy: '$agent_name',
          sortBy: { _id: 1 },
          output: {
            total: { $sum: '$score', window: { documents: ['unbounded', 'current'] } },
            n: { $count: {}, window: { documents: ['unbounded', 'unbounded'] } },
          },
        },
      },
      { $project: { total: 1, n: 1 } },
    ],
    result: [
      { _id: 'c0', total: 1, n: 3 },
      { _id: 'c2', total: 4, n: 3 },
      { _id: 'c3', total: 4, n: 3 },
      { _id: 'c1', total: 2, n: 1 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a moving average over three places',
    documents: [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 10 }],
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { avg: { $avg: '$a', window: { documents: [-1, 1] } } } } },
    ],
    result: [
      { a: 1, avg: 1.5 },
      { a: 2, avg: 2 },
      { a: 3, avg: 5 },
      { a: 10, avg: 6.5 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a window that does not hold the document, empty at an end',
    documents: [{ a: 1 }, { a: 2 }, { a: 3 }],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { a: 1 },
          output: {
            s: { $sum: '$a', window: { documents: [1, 2] } },
            m: { $min: '$a', window: { documents: [1, 2] } },
            p: { $push: '$a', window: { documents: [-2, -1] } },
          },
        },
      },
    ],
    result: [
      { a: 1, s: 5, m: 2, p: [] },
      { a: 2, s: 3, m: 3, p: [1] },
      { a: 3, s: 0, m: null, p: [1, 2] },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a range of days',
    calls: [
      { created_dt: '2026-03-01T00:00:00Z' },
      { created_dt: '2026-03-02T00:00:00Z' },
      { created_dt: '2026-03-09T00:00:00Z' },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { created_dt: 1 },
          output: { week: { $sum: 1, window: { range: [-7, 0], unit: 'day' } } },
        },
      },
      { $project: { week: 1 } },
    ],
    result: [
      { _id: 'c0', week: 1 },
      { _id: 'c1', week: 2 },
      { _id: 'c2', week: 2 },
    ],
  },
  {
    name: 'missing and null are one partition; partitions come in order',
    documents: [{ p: 2 }, { p: null }, { p: 1 }, {}],
    pipeline: [{ $setWindowFields: { partitionBy: '$p', output: { n: { $count: {} } } } }],
    result: [{ p: null, n: 2 }, { n: 2 }, { p: 1, n: 1 }, { p: 2, n: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'outputs may be inside',
    documents: [{ a: 1 }, { a: 2 }],
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { 'stats.rank': { $rank: {} }, 'stats.max': { $max: '$a' } } } },
    ],
    result: [
      { a: 1, stats: { rank: 1, max: 2 } },
      { a: 2, stats: { rank: 2, max: 2 } },
    ],
    wholeInEngine: true,
  },
  {
    name: 'an array can not be partitioned by',
    documents: [{ p: [1] }],
    pipeline: [{ $setWindowFields: { partitionBy: '$p', output: { n: { $count: {} } } } }],
    error: '$setWindowFields can not partition by an array',
  },
  {
    name: 'a range needs numbers',
    documents: [{ a: 'x' }],
    pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { n: { $count: {}, window: { range: [-1, 1] } } } } }],
    error: '$setWindowFields needs numbers',
  },
  {
    name: 'a range with unit needs dates',
    documents: [{ a: 1 }],
    pipeline: [
      {
        $setWindowFields: { sortBy: { a: 1 }, output: { n: { $count: {}, window: { range: [-1, 1], unit: 'day' } } } },
      },
    ],
    error: '$setWindowFields needs dates',
  },
  {
    name: 'places need sortBy',
    pipeline: [{ $setWindowFields: { output: { n: { $sum: 1, window: { documents: [-1, 0] } } } } }],
    error: 'a window of documents needs sortBy',
  },
  {
    name: 'a range needs one ascending field',
    pipeline: [{ $setWindowFields: { sortBy: { a: -1 }, output: { n: { $sum: 1, window: { range: [-1, 0] } } } } }],
    error: 'one ascending field',
  },
  {
    name: 'refuses crossed bounds',
    pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { n: { $sum: 1, window: { documents: [1, -1] } } } } }],
    error: 'the lower bound is not above',
  },
  {
    name: 'refuses halves',
    pipeline: [{ $setWindowFields: { sortBy: { a: 1 }, output: { n: { $sum: 1, window: { documents: [0.5, 1] } } } } }],
    error: 'a whole number',
  },
  {
    name: 'refuses both kinds',
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { a: 1 },
          output: { n: { $sum: 1, window: { documents: [0, 1], range: [0, 1] } } },
        },
      },
    ],
    error: 'either documents or range',
  },
  {
    name: 'refuses unknown functions',
    pipeline: [{ $setWindowFields: { output: { n: { $ranks: {} } } } }],
    error: 'Did you mean $rank?',
  },
  {
    name: 'refuses unknown units',
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { n: { $sum: 1, window: { range: [0, 1], unit: 'days' } } } } },
    ],
    error: 'Did you mean day?',
  },
  {
    name: 'refuses a bound beyond all places',
    documents: [{ a: 1 }],
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { n: { $count: {}, window: { documents: [-1e300, 0] } } } } },
    ],
    error: 'a bound of documents is "unbounded", "current" or a whole number',
  },
  {
    name: 'a range that reaches beyond the dates there are',
    documents: [
      { at: { $date: '2026-03-01T00:00:00Z' }, n: 1 },
      { at: { $date: '2026-03-02T00:00:00Z' }, n: 2 },
    ],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { at: 1 },
          output: {
            after: { $sum: '$n', window: { range: [0, 1e15], unit: 'day' } },
            before: { $sum: '$n', window: { range: [-1e15, 0], unit: 'month' } },
          },
        },
      },
      { $project: { _id: 0, after: 1, before: 1 } },
    ],
    result: [
      { after: 3, before: 1 },
      { after: 2, before: 3 },
    ],
  },
  {
    name: 'bounds may be computed of constants',
    documents: [{ a: 1 }, { a: 2 }, { a: 3 }],
    pipeline: [
      {
        $setWindowFields: {
          sortBy: { a: 1 },
          output: { s: { $sum: '$a', window: { documents: [{ $add: [-2, 1] }, 0] } } },
        },
      },
    ],
    result: [
      { a: 1, s: 1 },
      { a: 2, s: 3 },
      { a: 3, s: 5 },
    ],
    wholeInEngine: true,
  },
  {
    name: 'a bound is no expression over fields',
    pipeline: [
      { $setWindowFields: { sortBy: { a: 1 }, output: { s: { $sum: '$a', window: { documents: ['$a', 0] } } } } },
    ],
    error: 'is a constant',
  },
]
