import type { Case } from '../../../support/pipeline-cases.js'
import { given, refused, under } from '../../../support/rule-rows.js'

const nothing = { $match: { a: 'nothing' } }
const tenths = Array.from({ length: 10 }, () => ({ d: 0.1 }))

/** How many documents each key of `a` has, computed by an expression in the engine. */
const grouped = (name: string, key: unknown, values: readonly unknown[], counts: readonly number[]): Case => ({
  name,
  documents: values.map((a, _id) => (a === undefined ? { _id } : { _id, a })),
  pipeline: [{ $group: { _id: key, n: { $sum: 1 } } }, { $sort: { n: -1 } }, { $project: { _id: 0, n: 1 } }],
  result: counts.map(n => ({ n })),
})

export const cases: readonly Case[] = [
  ...under(
    'no documents, no groups',
    ...[
      { $group: { _id: null, n: { $sum: 1 }, s: { $sum: '$a' }, avg: { $avg: '$a' }, all: { $push: '$a' } } },
      { $group: { _id: '$a', n: { $sum: 1 } } },
      { $group: { _id: { a: '$a' }, n: { $max: '$a' } } },
      { $count: 'n' },
      { $sortByCount: '$a' },
      { $bucket: { groupBy: '$a', boundaries: [0, 1], default: 'x' } },
    ].map((stage): Case => ({
      name: JSON.stringify(stage),
      documents: [{ a: 1 }],
      pipeline: [nothing, stage],
      result: [],
      wholeInEngine: true,
    })),
    {
      name: 'in $facet: an empty array',
      documents: [{ a: 1 }],
      pipeline: [nothing, { $facet: { n: [{ $count: 'n' }], g: [{ $group: { _id: null, n: { $sum: 1 } } }] } }],
      result: [{ n: [], g: [] }],
      wholeInEngine: true,
    },
  ),
  ...under(
    'missing keys',
    {
      name: 'with null',
      documents: [{ a: null }, {}, { a: 1 }],
      pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      result: [
        { _id: null, n: 2 },
        { _id: 1, n: 1 },
      ],
      wholeInEngine: true,
    },
    {
      name: 'of a field of the record',
      calls: [{ score: 4 }, {}, {}],
      pipeline: [{ $group: { _id: '$score', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      result: [
        { _id: null, n: 2 },
        { _id: 4, n: 1 },
      ],
      wholeInEngine: true,
    },
    {
      name: 'of several fields',
      documents: [{ b: 1 }, { a: null, b: 1 }, { b: 1 }],
      pipeline: [{ $group: { _id: { a: '$a', b: '$b' }, n: { $sum: 1 } } }],
      unordered: true,
      result: [
        { _id: { b: 1 }, n: 2 },
        { _id: { a: null, b: 1 }, n: 1 },
      ],
    },
    {
      name: 'of several fields of the record',
      calls: [{ score: 4 }, { title: 't' }, { score: 4, title: 't' }],
      pipeline: [{ $group: { _id: { s: '$score', t: '$title' }, n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      result: [
        { _id: { s: 4 }, n: 1 },
        { _id: { s: 4, t: 't' }, n: 1 },
        { _id: { t: 't' }, n: 1 },
      ],
      wholeInEngine: true,
    },
  ),
  ...under(
    'equal keys',
    grouped('1, 1.0 and long 1', '$a', [1, { $numberDouble: '1.0' }, { $numberLong: '1' }, 2], [3, 1]),
    grouped('0.0 and -0.0', '$a', [0, { $numberDouble: '-0.0' }, { $numberDouble: '0' }], [3]),
    grouped('NaN and NaN', '$a', [{ $numberDouble: 'NaN' }, { $numberDouble: 'NaN' }, 1.5], [2, 1]),
    grouped(
      'documents by ordered fields',
      '$a',
      [
        { b: 1, c: 1 },
        { c: 1, b: 1 },
        { b: 1, c: 1 },
      ],
      [2, 1],
    ),
    grouped('arrays as wholes', '$a', [[1, 2], [2, 1], [1, 2], 1], [2, 1, 1]),
    grouped('a text is no number, a boolean neither', '$a', [1, '1', true, 1], [2, 1, 1]),
    grouped('-0.0 of the engine', { $multiply: ['$a', 0.0] }, [-1.5, 1.5], [2]),
    grouped(
      'NaN of the engine',
      { $multiply: ['$a', { $numberDouble: 'Infinity' }] },
      [{ $numberDouble: '0' }, 1.5, { $numberDouble: '0' }],
      [2, 1],
    ),
    grouped('1 and 1.0 of the engine', { $cond: [{ $gt: ['$a', 1] }, 1, { $toDouble: '$a' }] }, [1, 2, 1], [3]),
    {
      name: 'a list of the record as a whole',
      calls: [
        {
          signals: [
            { key: 'a', state: 'present' },
            { key: 'b', state: 'present' },
          ],
        },
        {
          signals: [
            { key: 'b', state: 'present' },
            { key: 'a', state: 'present' },
          ],
        },
        {
          signals: [
            { key: 'a', state: 'present' },
            { key: 'b', state: 'present' },
          ],
        },
      ],
      pipeline: [{ $group: { _id: '$signals.key', n: { $sum: 1 } } }, { $sort: { n: -1 } }],
      result: [
        { _id: ['a', 'b'], n: 2 },
        { _id: ['b', 'a'], n: 1 },
      ],
      wholeInEngine: true,
    },
  ),
  ...under(
    'what is no number',
    {
      name: 'in $group',
      documents: [{ a: 'x', b: 'x' }, { a: [1, 2] }, { a: 3 }, { a: null }, { a: true }],
      pipeline: [
        { $group: { _id: null, sum: { $sum: '$a' }, avg: { $avg: '$a' }, none: { $sum: '$b' }, no: { $avg: '$b' } } },
      ],
      result: [{ _id: null, sum: 3, avg: 3, none: 0, no: null }],
      wholeInEngine: true,
    },
    {
      name: 'columns of texts and of nothing',
      calls: [{ title: 'x' }, {}],
      pipeline: [
        {
          $group: {
            _id: null,
            text: { $sum: '$title' },
            mean: { $avg: '$title' },
            none: { $sum: '$score' },
            no: { $avg: '$score' },
          },
        },
      ],
      result: [{ _id: null, text: 0, mean: null, none: 0, no: null }],
      wholeInEngine: true,
    },
    {
      name: 'an array of numbers in $group',
      documents: [{ a: [1, 2] }, { a: [3] }],
      pipeline: [{ $group: { _id: null, sum: { $sum: '$a' }, avg: { $avg: '$a' } } }],
      result: [{ _id: null, sum: 0, avg: null }],
      wholeInEngine: true,
    },
    given('the elements elsewhere', { $sum: '$a' }, [[1, 2, 'x'], 'x', undefined], [3, 0, 0], { evaluated: true }),
    given('the mean of elements', { $avg: '$a' }, [[1, 2, 'x'], 'x', undefined], [1.5, null, null], {
      evaluated: true,
    }),
    given('the elements of a column', { $sum: '$a' }, [[1, 2], [], undefined], [3, 0, 0]),
  ),
  ...under(
    'sums of whole numbers',
    {
      name: 'int to long',
      documents: Array.from({ length: 3 }, () => ({ i: 2_000_000_000 })),
      pipeline: [{ $group: { _id: null, sum: { $sum: '$i' } } }, { $project: { type: { $type: '$sum' }, sum: 1 } }],
      result: [{ _id: null, sum: 6_000_000_000, type: 'long' }],
    },
    {
      name: 'int stays int',
      documents: [{ i: 2 }, { i: 3 }],
      pipeline: [{ $group: { _id: null, sum: { $sum: '$i' } } }, { $project: { type: { $type: '$sum' }, sum: 1 } }],
      result: [{ _id: null, sum: 5, type: 'int' }],
    },
    {
      name: 'long to double',
      documents: [1, 2].map(_id => ({ _id, l: '9223372036854775807' })),
      pipeline: [
        { $group: { _id: null, sum: { $sum: { $toLong: '$l' } } } },
        { $project: { _id: 0, type: { $type: '$sum' }, large: { $gt: ['$sum', 1e19] } } },
      ],
      result: [{ type: 'double', large: true }],
    },
    {
      name: 'ten times 0.1',
      documents: tenths,
      pipeline: [{ $group: { _id: null, d: { $sum: '$d' } } }, { $project: { _id: 0, one: { $eq: ['$d', 1] } } }],
      result: [{ one: true }],
      wholeInEngine: true,
    },
    {
      name: 'a double makes the sum one',
      documents: [{ d: 0.5 }, { d: 0.5 }],
      pipeline: [{ $group: { _id: null, d: { $sum: '$d' } } }, { $project: { _id: 0, type: { $type: '$d' } } }],
      result: [{ type: 'double' }],
      wholeInEngine: true,
    },
    given('$add widens', { $type: { $add: ['$a', '$a'] } }, [2_000_000_000, 1], ['long', 'int'], { evaluated: true }),
  ),
  ...under(
    'order of arrival',
    ...([1, -1] as const).map((direction): Case => {
      const values = direction === 1 ? ['x', 'y', null] : [null, 'y', 'x']
      return {
        name: `after a sort ${direction}, nulls included`,
        documents: [
          { a: 3, v: null },
          { a: 1, v: 'x' },
          { a: 2, v: 'y' },
        ],
        pipeline: [
          { $sort: { a: direction } },
          {
            $group: {
              _id: null,
              first: { $first: '$v' },
              last: { $last: '$v' },
              all: { $push: '$v' },
              two: { $firstN: { input: '$v', n: 2 } },
              end: { $lastN: { input: '$v', n: 2 } },
            },
          },
        ],
        result: [
          { _id: null, first: values[0], last: values[2], all: values, two: values.slice(0, 2), end: values.slice(1) },
        ],
        wholeInEngine: true,
      }
    }),
    {
      name: 'a missing one is null for $first',
      calls: [{ score: 1 }, { score: 2, title: 't' }],
      pipeline: [
        { $sort: { score: 1 } },
        { $group: { _id: null, first: { $first: '$title' }, all: { $push: '$title' } } },
      ],
      result: [{ _id: null, first: null, all: ['t'] }],
      wholeInEngine: true,
    },
    {
      name: 'through other stages',
      calls: [3, 1, 2].map(score => ({ score })),
      pipeline: [
        { $sort: { score: -1 } },
        { $match: { score: { $gte: 1 } } },
        { $set: { double: { $multiply: ['$score', 2] } } },
        { $group: { _id: '$agent_name', all: { $push: '$double' } } },
      ],
      result: [{ _id: 'Ana', all: [6, 4, 2] }],
      wholeInEngine: true,
    },
    {
      name: '$addToSet holds each once',
      documents: [{ a: 1 }, { a: 1 }, { a: 2 }],
      pipeline: [{ $group: { _id: null, set: { $addToSet: '$a' } } }, { $project: { _id: 0, n: { $size: '$set' } } }],
      result: [{ n: 2 }],
      wholeInEngine: true,
    },
  ),
  ...under(
    'deviations of few',
    ...[
      { values: [5], sample: null, whole: 0 },
      { values: [], sample: null, whole: null },
      { values: [1, 3], sample: Math.SQRT2, whole: 1 },
    ].map(({ values, sample, whole }): Case => ({
      name: `of ${values.length}`,
      documents: [...values.map(a => ({ a, b: 1 })), { b: 1 }],
      pipeline: [{ $group: { _id: null, sample: { $stdDevSamp: '$a' }, whole: { $stdDevPop: '$a' } } }],
      result: [{ _id: null, sample, whole }],
      wholeInEngine: true,
    })),
  ),
  ...under(
    'outputs of a group',
    ...refused(
      [[{ $group: { _id: 1, 'a.b': { $sum: 1 } } }], 'holds a dot'],
      [[{ $group: { _id: 1, $a: { $sum: 1 } } }], 'starts with "$"'],
      [[{ $group: { _id: 1, a: { $sum: 1, $avg: 1 } } }], 'exactly one accumulator'],
      [[{ $group: { _id: 1, a: {} } }], 'exactly one accumulator'],
      [[{ $group: { _id: 1, a: '$b' } }], 'exactly one accumulator'],
      [[{ $group: { a: { $sum: 1 } } }], '_id'],
    ),
  ),
]
