import type { Case } from '../../../support/pipeline-cases.js'
import { given, kept, keptCalls, sorted, under } from '../../../support/rule-rows.js'

const date = { $date: '2026-01-01T00:00:00Z' }
const nan = { $numberDouble: 'NaN' }
const infinite = { $numberDouble: 'Infinity' }
const below = { $numberDouble: '-Infinity' }

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
