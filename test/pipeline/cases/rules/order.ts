import type { Case } from '../../../support/pipeline-cases.js'
import { given, kept, keptCalls, sorted, under } from '../../../support/rule-rows.js'

const date = { $date: '2026-01-01T00:00:00Z' }
const nan = { $numberDouble: 'NaN' }
const infinite = { $numberDouble: 'Infinity' }
const below = { $numberDouble: '-Infinity' }

/** Four calls: c1 came first, c0 and c3 in one instant, c2 last. */
const CALLS = [
  { created_dt: '2026-03-02T00:00:00Z', score: 4, title: 'x' },
  { created_dt: '2026-03-01T00:00:00Z', score: 3, title: 'y' },
  { created_dt: '2026-03-03T00:00:00Z', score: 4, title: 'x' },
  { created_dt: '2026-03-02T00:00:00Z', score: 3, title: 'z' },
].map((call, i) => ({
  ...call,
  transcript: ['first', 'second', 'third'].map((text, turn) => ({ turn, actor: 'agent', text: `${text} of ${i}` })),
}))

/** What a pipeline over the four calls gives, whole in the engine. */
const ofCalls = (name: string, pipeline: readonly object[], result: readonly object[]): Case => ({
  name,
  calls: CALLS,
  pipeline,
  result,
  wholeInEngine: true,
})

const ids = (...numbers: readonly number[]) => numbers.map(number => ({ _id: `c${number}` }))
const turns = (...numbers: readonly number[]) =>
  numbers.flatMap(number =>
    ['first', 'second', 'third'].map(text => ({ _id: `c${number}`, text: `${text} of ${number}` })),
  )
const text = { $project: { text: '$transcript.text' } }
const id = { $project: { _id: 1 } }

export const cases: readonly Case[] = [
  ...under(
    'order of types',
    // An array goes by its least element ascending and by its greatest descending.
    sorted('ascending', [date, true, [9], { b: 1 }, 'text', 5, null, undefined], 1, [6, 7, 5, 2, 4, 3, 1, 0], {
      evaluated: true,
    }),
    sorted('descending', [date, true, [9], { b: 1 }, 'text', 5, null, undefined], -1, [0, 1, 3, 4, 2, 5, 6, 7], {
      evaluated: true,
    }),
    sorted('JSON ascending', [true, [9], 'text', 5, null, undefined, false], 1, [4, 5, 3, 1, 2, 6, 0]),
    sorted('JSON descending', [true, [9], 'text', 5, null, undefined, false], -1, [0, 6, 2, 1, 3, 4, 5]),
    given(
      'a text and a number',
      { $gt: ['$a', 1] },
      ['x', 2, 0, null, undefined, true, [0]],
      [true, true, false, false, false, true, true],
    ),
    given('a document and a text', { $gt: [{ b: '$a' }, 'x'] }, [1], [true]),
    given('an array and a document', { $gt: [['$a'], { b: 1 }] }, [1], [true]),
    given('a boolean and an array', { $gt: [{ $gt: ['$a', 0] }, ['$a']] }, [1], [true]),
    given('a date and a boolean', { $gt: ['$a', true] }, [date], [true]),
    given('$max over types', { $max: ['$a', 5, 'x'] }, ['y', 9, true], ['y', 'x', true], { evaluated: true }),
    {
      name: '$max of a group',
      documents: [{ a: 5 }, { a: 'x' }, { a: null }, { a: false }, {}],
      pipeline: [{ $group: { _id: null, max: { $max: '$a' }, min: { $min: '$a' } } }],
      result: [{ _id: null, max: false, min: 5 }],
      wholeInEngine: true,
    },
  ),
  ...under(
    'types in filters',
    kept('$lt of a text', { a: { $lt: 'x' } }, [5, 'a', null, true, undefined, ['a']], [1, 5]),
    kept('$gt of a number', { a: { $gt: 1 } }, [5, 'a', null, true, undefined, { b: 1 }, ['x']], [0]),
    kept('$gte of a boolean', { a: { $gte: false } }, [5, 'a', true, false], [2, 3]),
    kept('$gt of a document', { a: { $gt: { b: 1 } } }, [5, { b: 2 }, { b: 0 }, { c: 0 }], [1, 3], { evaluated: true }),
    kept('a column of texts and a number', { a: { $gt: 1 } }, ['x', 'y', undefined], []),
    kept('a column of numbers and a text', { a: { $lt: 'x' } }, [1, 2, undefined], []),
    kept('NaN and a number', { a: { $lt: 5 } }, [nan, 1.5], [1], { evaluated: true }),
    kept('a number and NaN', { a: { $lt: nan } }, [-0.5, 1.5], []),
    keptCalls(
      'a text against metadata that is a number',
      { 'session_metadata.n': { $gte: '1' } },
      [{ session_metadata: { n: 5 } }, { session_metadata: { n: '5' } }, {}],
      [1],
    ),
  ),
  ...under(
    'null and NaN in a sort',
    sorted('ascending', [2, null, 1, undefined], 1, [1, 3, 2, 0]),
    sorted('descending', [2, null, 1, undefined], -1, [0, 2, 1, 3]),
    sorted('a column ascending', [2.5, undefined, 1.5], 1, [1, 2, 0]),
    sorted('a column descending', [2.5, undefined, 1.5], -1, [0, 2, 1]),
    sorted('NaN ascending', [below, nan, 0, infinite], 1, [1, 0, 2, 3], { evaluated: true }),
    {
      name: 'NaN ascending, in the engine',
      documents: [{ _id: 1, a: 0.5 }, { _id: 2, a: { $numberDouble: '0' } }, { _id: 3, a: -0.5 }, { _id: 4 }],
      pipeline: [{ $set: { a: { $multiply: ['$a', infinite] } } }, { $sort: { a: 1 } }, { $project: { _id: 1 } }],
      result: [4, 2, 3, 1].map(_id => ({ _id })),
    },
    {
      name: 'NaN descending, in the engine',
      documents: [{ _id: 1, a: 0.5 }, { _id: 2, a: { $numberDouble: '0' } }, { _id: 3, a: -0.5 }, { _id: 4 }],
      pipeline: [{ $set: { a: { $multiply: ['$a', infinite] } } }, { $sort: { a: -1 } }, { $project: { _id: 1 } }],
      result: [1, 3, 2, 4].map(_id => ({ _id })),
    },
    {
      name: 'a field of the record',
      calls: [{ score: 4 }, {}, { score: 3 }],
      pipeline: [{ $sort: { score: -1 } }, { $project: { _id: 1 } }],
      result: [{ _id: 'c0' }, { _id: 'c2' }, { _id: 'c1' }],
      wholeInEngine: true,
    },
  ),
  ...under(
    'arrays in a sort',
    sorted('the least ascending', [[5, 1], [3, 4], 2], 1, [0, 2, 1]),
    sorted('the greatest descending', [[5, 1], [3, 4], 2], -1, [0, 1, 2]),
    sorted('a column ascending', [[5, 1], [3, 4], [2], []], 1, [3, 0, 2, 1]),
    sorted('a column descending', [[5, 1], [3, 4], [2], [], undefined], -1, [0, 1, 2, 4, 3]),
    sorted('[] ascending', [null, [], 0], 1, [1, 0, 2]),
    sorted('[] descending', [null, [], 0], -1, [2, 0, 1]),
    sorted('by type within', [['x', 1], [true], 5], 1, [0, 2, 1]),
  ),
  ...under(
    'order of texts',
    sorted('bytes', ['\u{10000}', '\uffff', 'a', 'Z', 'é', ''], 1, [5, 3, 2, 4, 1, 0]),
    sorted('bytes, of JSON', ['\u{10000}', '\uffff', 'a', 'Z', 'é', 5], 1, [5, 3, 2, 4, 1, 0]),
    given('$gt', { $gt: ['$a', '\uffff'] }, ['\u{10000}', 'z'], [true, false]),
    kept('in filters', { a: { $gt: '\uffff' } }, ['\u{10000}', 'z'], [0]),
    given('$max', { $max: ['$a', '\uffff'] }, ['\u{10000}', 'z'], ['\u{10000}', '\uffff']),
  ),
  ...under(
    'keys of a sort',
    ...[
      [{ b: 1, a: 1 }, [2, 3, 1]],
      [{ a: 1, b: 1 }, [1, 2, 3]],
      [{ b: -1, a: -1 }, [1, 3, 2]],
    ].map(([$sort, ids]): Case => ({
      name: JSON.stringify($sort),
      documents: [
        { _id: 1, a: 1, b: 2 },
        { _id: 2, a: 2, b: 1 },
        { _id: 3, a: 3, b: 1 },
      ],
      pipeline: [{ $sort }, { $project: { _id: 1 } }],
      result: (ids as number[]).map(_id => ({ _id })),
      wholeInEngine: true,
    })),
  ),
  ...under(
    'order of calls',
    ofCalls('all', [id], ids(1, 0, 3, 2)),
    ofCalls('the first', [{ $limit: 2 }, id], ids(1, 0)),
    ofCalls('all but the first', [{ $skip: 2 }, id], ids(3, 2)),
    ofCalls('filtered', [{ $match: { title: 'x' } }, id], ids(0, 2)),
    ofCalls('turns', [{ $unwind: '$transcript' }, text], turns(1, 0, 3, 2)),
    ofCalls('turns by session', [{ $unwind: '$transcript' }, { $sort: { _id: 1 } }, text], turns(0, 1, 2, 3)),
    ofCalls(
      'turns from the last session',
      [{ $unwind: '$transcript' }, { $sort: { _id: -1 } }, text],
      turns(3, 2, 1, 0),
    ),
    ofCalls(
      'turns by a key of one value',
      [{ $unwind: '$transcript' }, { $sort: { agent_name: 1 } }, { $limit: 4 }, text],
      turns(1, 0).slice(0, 4),
    ),
    ofCalls(
      'turns of pairs of turns',
      [
        { $match: { _id: 'c1' } },
        { $project: { a: '$transcript.turn', b: '$transcript.turn' } },
        { $unwind: '$a' },
        { $unwind: '$b' },
        { $match: { $expr: { $ne: ['$a', '$b'] } } },
        { $sort: { _id: 1 } },
        { $project: { _id: 0, a: 1, b: 1 } },
      ],
      [
        { a: 0, b: 1 },
        { a: 0, b: 2 },
        { a: 1, b: 0 },
        { a: 1, b: 2 },
        { a: 2, b: 0 },
        { a: 2, b: 1 },
      ],
    ),
    ofCalls(
      'turns gathered again',
      [{ $unwind: '$transcript' }, { $group: { _id: '$_id', texts: { $push: '$transcript.text' } } }, { $limit: 1 }],
      [{ _id: 'c0', texts: ['first of 0', 'second of 0', 'third of 0'] }],
    ),
    ofCalls(
      'turns of documents that a group gathered',
      [{ $group: { _id: null, ids: { $push: '$_id' } } }, { $unwind: '$ids' }, { $project: { _id: '$ids' } }],
      ids(1, 0, 3, 2),
    ),
    ofCalls(
      'in facets',
      [
        {
          $facet: {
            all: [id],
            last: [{ $sort: { score: 1 } }, { $limit: 2 }, id],
            turns: [{ $unwind: '$transcript' }, { $limit: 2 }, text],
          },
        },
      ],
      [{ all: ids(1, 0, 3, 2), last: ids(1, 3), turns: turns(1).slice(0, 2) }],
    ),
    ofCalls(
      'out of a facet',
      [{ $facet: { all: [id] } }, { $unwind: '$all' }, { $replaceRoot: { newRoot: '$all' } }],
      ids(1, 0, 3, 2),
    ),
    ofCalls(
      'another root',
      [{ $replaceRoot: { newRoot: { t: '$title' } } }],
      ['y', 'x', 'z', 'x'].map(t => ({ t })),
    ),
    {
      name: 'evaluated from the start',
      calls: CALLS,
      pipeline: [{ $redact: { $cond: [{ $eq: ['$title', 'x'] }, '$$PRUNE', '$$DESCEND'] } }, id],
      result: ids(1, 3),
    },
  ),
  ...under(
    'documents of equal keys',
    ofCalls('ascending', [{ $sort: { score: 1 } }, id], ids(1, 3, 0, 2)),
    ofCalls('descending', [{ $sort: { score: -1 } }, id], ids(0, 2, 1, 3)),
    ofCalls('sorted before', [{ $sort: { _id: -1 } }, { $sort: { score: 1 } }, id], ids(3, 1, 2, 0)),
    ofCalls('sorted before, cut', [{ $sort: { _id: -1 } }, { $limit: 3 }, { $sort: { score: 1 } }, id], ids(3, 1, 2)),
    ofCalls('a field that is nowhere', [{ $sort: { nothing: 1 } }, id], ids(1, 0, 3, 2)),
    ofCalls('the instant', [{ $sort: { created_dt: -1 } }, id], ids(2, 0, 3, 1)),
    ofCalls('the session twice', [{ $sort: { _id: -1, session_id: 1, score: 1 } }, id], ids(3, 2, 1, 0)),
    ofCalls(
      'windows',
      [
        {
          $setWindowFields: {
            partitionBy: '$score',
            sortBy: { agent_name: 1 },
            output: {
              n: { $documentNumber: {} },
              two: { $push: '$_id', window: { documents: [-1, 0] } },
              first: { $first: '$_id' },
              before: { $shift: { output: '$_id', by: -1 } },
            },
          },
        },
        { $project: { n: 1, two: 1, first: 1, before: 1 } },
      ],
      [
        { _id: 'c1', n: 1, two: ['c1'], first: 'c1', before: null },
        { _id: 'c3', n: 2, two: ['c1', 'c3'], first: 'c1', before: 'c1' },
        { _id: 'c0', n: 1, two: ['c0'], first: 'c0', before: null },
        { _id: 'c2', n: 2, two: ['c0', 'c2'], first: 'c0', before: 'c0' },
      ],
    ),
    ofCalls(
      '$top and its kin',
      [
        {
          $group: {
            _id: null,
            top: { $top: { sortBy: { score: 1 }, output: '$_id' } },
            topN: { $topN: { n: 3, sortBy: { score: 1 }, output: '$_id' } },
            bottom: { $bottom: { sortBy: { score: 1 }, output: '$_id' } },
            bottomN: { $bottomN: { n: 3, sortBy: { score: 1 }, output: '$_id' } },
          },
        },
      ],
      [{ _id: null, top: 'c1', topN: ['c1', 'c3', 'c0'], bottom: 'c2', bottomN: ['c3', 'c0', 'c2'] }],
    ),
    ofCalls(
      '$sortByCount',
      [{ $sortByCount: '$_id' }],
      ids(0, 1, 2, 3).map(one => ({ ...one, count: 1 })),
    ),
    {
      name: '$bucketAuto',
      calls: CALLS,
      pipeline: [{ $bucketAuto: { groupBy: '$score', buckets: 2, output: { ids: { $push: '$_id' } } } }],
      result: [
        { _id: { min: 3, max: 4 }, ids: ['c1', 'c3'] },
        { _id: { min: 4, max: 4 }, ids: ['c0', 'c2'] },
      ],
    },
  ),
  ...under(
    'groups in order',
    ofCalls(
      'by a text',
      [{ $group: { _id: '$title', ids: { $push: '$_id' }, first: { $first: '$_id' }, last: { $last: '$_id' } } }],
      [
        { _id: 'x', ids: ['c0', 'c2'], first: 'c0', last: 'c2' },
        { _id: 'y', ids: ['c1'], first: 'c1', last: 'c1' },
        { _id: 'z', ids: ['c3'], first: 'c3', last: 'c3' },
      ],
    ),
    ofCalls(
      'by a document',
      [{ $group: { _id: { score: '$score', title: '$title' }, n: { $sum: 1 } } }],
      [
        { _id: { score: 3, title: 'y' }, n: 1 },
        { _id: { score: 3, title: 'z' }, n: 1 },
        { _id: { score: 4, title: 'x' }, n: 2 },
      ],
    ),
    ofCalls(
      'groups that are equal by a sort',
      [{ $group: { _id: '$title', n: { $sum: 1 } } }, { $sort: { n: -1 } }, { $limit: 2 }],
      [
        { _id: 'x', n: 2 },
        { _id: 'y', n: 1 },
      ],
    ),
    ofCalls(
      'the first values',
      [
        {
          $group: {
            _id: null,
            firstN: { $firstN: { n: 3, input: '$_id' } },
            lastN: { $lastN: { n: 3, input: '$_id' } },
            titles: { $addToSet: '$title' },
            scores: { $addToSet: '$score' },
          },
        },
      ],
      [{ _id: null, firstN: ['c1', 'c0', 'c3'], lastN: ['c0', 'c3', 'c2'], titles: ['x', 'y', 'z'], scores: [3, 4] }],
    ),
    ofCalls(
      'groups of groups',
      [
        { $group: { _id: { title: '$title', score: '$score' } } },
        { $group: { _id: '$_id.score', titles: { $push: '$_id.title' } } },
      ],
      [
        { _id: 3, titles: ['y', 'z'] },
        { _id: 4, titles: ['x'] },
      ],
    ),
    {
      name: 'by values of many types',
      documents: [true, 'x', { b: 1 }, [2], 5, null, undefined, [1], { a: 2 }, 'a', 1.5].map(a =>
        a === undefined ? {} : { a },
      ),
      pipeline: [{ $group: { _id: '$a', n: { $sum: 1 } } }, { $project: { n: 1 } }],
      result: [
        { _id: null, n: 2 },
        ...[1.5, 5, 'a', 'x', { a: 2 }, { b: 1 }, [1], [2], true].map(_id => ({ _id, n: 1 })),
      ],
      wholeInEngine: true,
    },
    {
      name: 'a set of documents',
      documents: [{ a: { b: 2 } }, { a: { b: 1 } }, { a: { b: 2 } }],
      pipeline: [{ $group: { _id: null, set: { $addToSet: '$a' } } }],
      result: [{ _id: null, set: [{ b: 1 }, { b: 2 }] }],
      wholeInEngine: true,
    },
  ),
  ...under(
    'fields named by numbers',
    given(
      'in metadata',
      { $objectToArray: '$a' },
      [{ b: 1, 2: 1, 1: 1 }, {}],
      [
        [
          { k: '1', v: 1 },
          { k: '2', v: 1 },
          { k: 'b', v: 1 },
        ],
        [],
      ],
    ),
    {
      name: 'made by $arrayToObject',
      documents: [{ a: ['b', '2', '1'] }],
      pipeline: [
        { $set: { d: { $arrayToObject: { $map: { input: '$a', in: ['$$this', 1] } } } } },
        { $project: { names: { $map: { input: { $objectToArray: '$d' }, in: '$$this.k' } } } },
      ],
      result: [{ names: ['1', '2', 'b'] }],
    },
    {
      name: 'made by the stages',
      documents: [{ a: 1 }],
      pipeline: [{ $project: { b: '$a', 2: '$a', 1: '$a' } }, { $project: { names: { $objectToArray: '$$ROOT' } } }],
      result: [
        {
          names: [
            { k: '1', v: 1 },
            { k: '2', v: 1 },
            { k: 'b', v: 1 },
          ],
        },
      ],
    },
  ),
]
