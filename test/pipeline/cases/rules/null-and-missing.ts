import type { Case } from '../../../support/pipeline-cases.js'
import { given, kept, keptCalls, under } from '../../../support/rule-rows.js'

const mixed = [null, undefined, [1, null], 5, []]
/** A column of numbers, where missing is the engine's NULL. */
const typed = [5, undefined, 4]
const scores = [{ score: 5 }, {}, { score: 4 }]

const positive: readonly (readonly [object, readonly number[], readonly number[]])[] = [
  [{ $gt: 4 }, [0, 1, 2, 4], [1, 2]],
  [{ $in: [5] }, [0, 1, 2, 4], [1, 2]],
  [{ $mod: [5, 0] }, [0, 1, 2, 4], [1, 2]],
  [{ $type: 'number' }, [0, 1, 4], [1]],
  [{ $exists: true }, [1], [1]],
  [{ $bitsAllSet: 1 }, [0, 1, 4], [1, 2]],
  [{ $gt: 4, $lt: 6 }, [0, 1, 2, 4], [1, 2]],
]

export const cases: readonly Case[] = [
  ...under(
    'null in filters',
    kept('{a: null}', { a: null }, mixed, [0, 1, 2]),
    kept('{a: {$eq: null}}', { a: { $eq: null } }, mixed, [0, 1, 2]),
    kept('$exists', { a: { $exists: false } }, mixed, [1]),
    kept('a null in metadata and a key that is missing', { 'a.b': { $exists: false } }, [{ b: null }, {}, 'x'], [1, 2]),
    kept('{$type: null} is not missing', { a: { $type: 'null' } }, mixed, [0, 2]),
    kept('a column of numbers', { a: null }, typed, [1]),
    keptCalls('a field of the record', { score: null }, scores, [1]),
    keptCalls('a field within one', { 'trust.level': null }, [{ trust: { level: 'low' } }, { trust: {} }, {}], [1, 2]),
  ),
  ...under(
    'negations',
    kept('$ne', { a: { $ne: 5 } }, mixed, [0, 1, 2, 4]),
    kept('$ne null', { a: { $ne: null } }, mixed, [3, 4]),
    kept('$nin', { a: { $nin: [5] } }, mixed, [0, 1, 2, 4]),
    kept('$nin with null', { a: { $nin: [5, null] } }, mixed, [4]),
    kept('$nor', { $nor: [{ a: 5 }, { a: 1 }] }, mixed, [0, 1, 4]),
    kept('$not of a pattern', { a: { $not: { $regex: 'x' } } }, ['x', null, undefined, 5, ['y', 'x']], [1, 2, 3]),
    ...positive.flatMap(([condition, open, column]) => [
      kept(`$not ${JSON.stringify(condition)}`, { a: { $not: condition } }, mixed, open),
      kept(`$nor ${JSON.stringify(condition)}`, { $nor: [{ a: condition }] }, mixed, open),
      kept(`$not ${JSON.stringify(condition)} of a column`, { a: { $not: condition } }, typed, column),
    ]),
    kept('$ne of a column', { a: { $ne: 5 } }, typed, [1, 2]),
    kept('$nin of a column', { a: { $nin: [5] } }, typed, [1, 2]),
    kept('$ne within $elemMatch', { a: { $elemMatch: { $ne: 5 } } }, [[5], [null], [5, 'x'], []], [1, 2]),
    kept('$not within $elemMatch', { a: { $elemMatch: { $not: { $gt: 4 } } } }, [[5], [null], [5, 'x'], []], [1, 2]),
    keptCalls(
      '$ne within $elemMatch of a list of the record',
      { signals: { $elemMatch: { key: 'k', strength: { $ne: 0.5 } } } },
      [{ signals: [{ key: 'k', state: 'present' }] }, { signals: [{ key: 'k', state: 'present', strength: 0.5 }] }],
      [0],
    ),
    ...[{ $ne: 5 }, { $nin: [5] }, { $not: { $gt: 4 } }].map((condition): Case => ({
      name: `${JSON.stringify(condition)} of nulls in a computed list`,
      documents: [
        { _id: 1, a: [5, 1] },
        { _id: 2, a: [5] },
      ],
      pipeline: [
        { $set: { b: { $map: { input: '$a', in: { $cond: [{ $gt: ['$$this', 4] }, '$$this', null] } } } } },
        { $match: { b: { $elemMatch: condition } } },
        { $project: { _id: 1 } },
      ],
      result: [{ _id: 1 }],
      wholeInEngine: true,
    })),
    kept('$nor within $nor', { $nor: [{ $nor: [{ a: 5 }] }] }, typed, [0]),
    keptCalls('$ne of a field of the record', { score: { $ne: 5 } }, scores, [1, 2]),
    keptCalls(
      '$ne within a list',
      { 'signals.key': { $ne: 'k' } },
      [{ signals: [{ key: 'k', state: 'present' }] }, {}],
      [1],
    ),
  ),
  ...under(
    'null as a bound',
    kept('$gte', { a: { $gte: null } }, mixed, [0, 1, 2]),
    kept('$lte', { a: { $lte: null } }, mixed, [0, 1, 2]),
    kept('$gt', { a: { $gt: null } }, mixed, []),
    kept('$lt', { a: { $lt: null } }, mixed, []),
    kept('$gte of a column', { a: { $gte: null } }, typed, [1]),
    kept('$gt of a column', { a: { $gt: null } }, typed, []),
    keptCalls('$lte of a field of the record', { score: { $lte: null } }, scores, [1]),
  ),
  ...under(
    'argument of $exists',
    ...[false, 0, null, { $numberDouble: '0' }].map(no =>
      kept(`${JSON.stringify(no)} is absent`, { a: { $exists: no } }, mixed, [1]),
    ),
    ...['yes', 'no', '', 1, -0.5, true, [], {}].map(yes =>
      kept(`${JSON.stringify(yes)} is there`, { a: { $exists: yes } }, mixed, [0, 2, 3, 4]),
    ),
  ),
  ...under(
    'null in expressions',
    given('missing is below null', { $lt: ['$nothing', null] }, [1], [true]),
    given('$eq of missing and null', { $eq: ['$a', null] }, [null, undefined, 5], [true, false, false]),
    given('$eq of missing and missing', { $eq: ['$a', '$nothing'] }, [null, undefined, 5], [false, true, false]),
    given('$cmp', { $cmp: ['$a', null] }, [null, undefined, 5, 'x'], [0, -1, 1, 1]),
    given('$gt null takes null from missing', { $gt: ['$a', '$nothing'] }, [null, undefined, 5], [true, false, true]),
    given('$ne null is true of missing', { $ne: ['$a', null] }, [null, undefined, 5], [false, true, true]),
    given('$ifNull', { $ifNull: ['$a', 'x'] }, [null, undefined, 0, false], ['x', 'x', 0, false]),
    given('$ifNull of a column', { $ifNull: ['$a', 0] }, typed, [5, 0, 4]),
    given('$eq null of a column', { $eq: ['$a', null] }, typed, [false, false, false]),
    given('$lt of a column', { $lt: ['$a', 5] }, typed, [false, true, true]),
    {
      name: '$eq null of a field of the record',
      calls: scores,
      pipeline: [{ $match: { $expr: { $eq: ['$score', null] } } }],
      result: [],
      wholeInEngine: true,
    },
    {
      name: '$lt of a field of the record takes missing',
      calls: scores,
      pipeline: [{ $match: { $expr: { $lt: ['$score', 5] } } }, { $project: { _id: 1 } }],
      result: [{ _id: 'c1' }, { _id: 'c2' }],
      wholeInEngine: true,
    },
  ),
  ...under(
    'arithmetic with null',
    ...[
      { $add: ['$a', 1] },
      { $subtract: [1, '$a'] },
      { $multiply: [2, '$a'] },
      { $divide: [1, '$a'] },
      { $mod: ['$a', 2] },
      { $abs: '$a' },
      { $ceil: '$a' },
      { $floor: '$a' },
      { $round: ['$a', 1] },
      { $trunc: '$a' },
      { $sqrt: '$a' },
      { $exp: '$a' },
      { $ln: '$a' },
      { $log: ['$a', 2] },
      { $log10: '$a' },
    ].flatMap(expression => [
      given(JSON.stringify(expression), expression, [null, undefined], [null, null]),
      given(
        `${JSON.stringify(expression)} of a column`,
        { $type: expression },
        [undefined, undefined, 1.5],
        ['null', 'null', 'double'],
      ),
    ]),
  ),
  ...under(
    'computed fields',
    given('missing', '$a', [null, undefined, 1], [null, undefined, 1]),
    given('within a document', { b: '$a', c: { $literal: 1 } }, [null, undefined], [{ b: null, c: 1 }, { c: 1 }]),
    given(
      'in an array it is null',
      ['$a', '$nothing'],
      [1, undefined],
      [
        [1, null],
        [null, null],
      ],
    ),
    given('a column', '$a', typed, [5, undefined, 4]),
    {
      name: '$addFields',
      documents: [{ _id: 1, n: null }],
      pipeline: [{ $addFields: { x: '$nothing', y: '$n' } }],
      result: [{ _id: 1, n: null, y: null }],
      wholeInEngine: true,
    },
    {
      name: '$replaceRoot',
      documents: [{ _id: 1, n: null }],
      pipeline: [{ $replaceRoot: { newRoot: { x: '$nothing', y: '$n' } } }],
      result: [{ y: null }],
      wholeInEngine: true,
    },
  ),
  ...under(
    'null in accumulators',
    {
      name: '$push and $addToSet',
      documents: [{ _id: 1 }, { _id: 2, a: null }],
      pipeline: [{ $group: { _id: null, pushed: { $push: '$a' }, set: { $addToSet: '$a' } } }],
      result: [{ _id: null, pushed: [null], set: [null] }],
      wholeInEngine: true,
    },
    {
      name: 'of nothing',
      documents: [{ _id: 1 }, { _id: 2, a: null }],
      pipeline: [
        {
          $group: {
            _id: null,
            first: { $first: '$a' },
            last: { $last: '$b' },
            min: { $min: '$a' },
            max: { $max: '$b' },
            avg: { $avg: '$a' },
          },
        },
      ],
      result: [{ _id: null, first: null, last: null, min: null, max: null, avg: null }],
      wholeInEngine: true,
    },
    {
      name: '$min and $max of any type',
      documents: [{ a: null }, {}, { a: 3 }, { a: 2 }],
      pipeline: [{ $group: { _id: null, min: { $min: '$a' }, max: { $max: '$a' } } }],
      result: [{ _id: null, min: 2, max: 3 }],
      wholeInEngine: true,
    },
    {
      name: 'of a field of the record',
      calls: [{}, { score: 3 }, { score: 2 }],
      pipeline: [
        {
          $group: {
            _id: null,
            all: { $push: '$score' },
            min: { $min: '$score' },
            max: { $max: '$score' },
            first: { $first: '$score' },
            title: { $last: '$title' },
          },
        },
      ],
      result: [{ _id: null, all: [3, 2], min: 2, max: 3, first: null, title: null }],
      wholeInEngine: true,
    },
  ),
]
