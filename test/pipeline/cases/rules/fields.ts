import type { Case } from '../../../support/pipeline-cases.js'
import { refused, under } from '../../../support/rule-rows.js'

/** One document through some stages that the engine does not all run. */
const partly = (
  name: string,
  documents: readonly object[],
  pipeline: readonly object[],
  result: readonly object[],
): Case => ({ name, documents, pipeline, result })

/** The same where the engine must run them all. */
const through = (...row: Parameters<typeof partly>): Case => ({ ...partly(...row), wholeInEngine: true })

const nested = [
  { _id: 1, a: [{ b: 1, c: 2 }, 5, [{ b: 3, c: 4 }]] },
  { _id: 2, a: 5 },
  { _id: 3, a: { b: 1, c: 1 } },
  { _id: 4 },
]
const nestedB = [{ _id: 1, a: [{ b: 1 }, [{ b: 3 }]] }, { _id: 2 }, { _id: 3, a: { b: 1 } }, { _id: 4 }]

export const cases: readonly Case[] = [
  ...under(
    'places of fields',
    through(
      'inclusion',
      [{ _id: 1, b: 2, a: 3, c: 4 }],
      [{ $project: { c: 1, a: 1, b: 1 } }],
      [{ _id: 1, b: 2, a: 3, c: 4 }],
    ),
    through('exclusion', [{ _id: 1, b: 2, a: 3, c: 4 }], [{ $project: { a: 0 } }], [{ _id: 1, b: 2, c: 4 }]),
    through(
      'computed ones',
      [{ _id: 1, b: 2, a: 3 }],
      [{ $project: { z: '$a', a: 1, y: '$b' } }],
      [{ _id: 1, a: 3, z: 3, y: 2 }],
    ),
    through(
      '_id of a group',
      [{ a: 1 }],
      [{ $group: { _id: '$a', z: { $sum: 1 }, b: { $max: '$a' } } }, { $project: { b: 1, z: 1 } }],
      [{ _id: 1, z: 1, b: 1 }],
    ),
    through('a computed _id', [{ _id: 1, a: 2 }], [{ $project: { a: 1, _id: '$a' } }], [{ a: 2, _id: 2 }]),
    through('a call', [{ _id: 1, b: 1, a: 2 }], [{ $set: { b: 5, c: 6 } }], [{ _id: 1, b: 5, a: 2, c: 6 }]),
    through(
      'within a document',
      [{ a: { c: 1, b: 2, d: 3 } }],
      [{ $project: { 'a.b': 1, 'a.c': 1 } }],
      [{ a: { c: 1, b: 2 } }],
    ),
  ),
  ...under(
    'inclusion and exclusion',
    ...[0.5, -1, 7, true].map(yes =>
      through(`${yes} includes`, [{ _id: 1, a: 2, b: 3 }], [{ $project: { a: yes } }], [{ _id: 1, a: 2 }]),
    ),
    ...[0, false].map(no =>
      through(`${no} excludes`, [{ _id: 1, a: 2, b: 3 }], [{ $project: { a: no } }], [{ _id: 1, b: 3 }]),
    ),
    through('_id out of an inclusion', [{ _id: 1, a: 2, b: 3 }], [{ $project: { a: 1, _id: 0 } }], [{ a: 2 }]),
    through('_id kept in an exclusion', [{ _id: 1, a: 2, b: 3 }], [{ $project: { a: 0, _id: 1 } }], [{ _id: 1, b: 3 }]),
    through('_id out of an exclusion', [{ _id: 1, a: 2, b: 3 }], [{ $project: { a: 0, _id: 0 } }], [{ b: 3 }]),
    ...refused(
      [[{ $project: { a: 1, b: 0 } }], 'either includes'],
      [[{ $project: { a: 0, b: 1 } }], 'either includes'],
      [[{ $project: { a: 0, b: '$c' } }], 'either includes'],
      [[{ $project: { 'a.b': 1, 'a.c': 0 } }], 'either includes'],
    ),
  ),
  ...under(
    'inclusion through arrays',
    partly('a dotted path', nested, [{ $project: { 'a.b': 1 } }], nestedB),
    partly('a document', nested, [{ $project: { a: { b: 1 } } }], nestedB),
    through(
      'a list of documents',
      [{ a: [{ b: 1, c: 2 }, { c: 2 }] }],
      [{ $project: { 'a.b': 1 } }],
      [{ a: [{ b: 1 }, {}] }],
    ),
    through('a scalar', [{ _id: 1, a: 5 }], [{ $project: { 'a.b': 1 } }], [{ _id: 1 }]),
    through(
      'excluded',
      [{ a: [{ b: 1, c: 2 }, { c: 2 }] }],
      [{ $project: { 'a.b': 0 } }],
      [{ a: [{ c: 2 }, { c: 2 }] }],
    ),
    partly(
      'excluded of anything',
      nested,
      [{ $project: { 'a.b': 0 } }],
      [{ _id: 1, a: [{ c: 2 }, 5, [{ c: 4 }]] }, { _id: 2, a: 5 }, { _id: 3, a: { c: 1 } }, { _id: 4 }],
    ),
  ),
  ...under(
    'fields within fields',
    through('a document is merged', [{ a: { b: 1 } }], [{ $addFields: { a: { c: 2 } } }], [{ a: { b: 1, c: 2 } }]),
    through('a path is the same', [{ a: { b: 1 } }], [{ $addFields: { 'a.c': 2 } }], [{ a: { b: 1, c: 2 } }]),
    through('null within it', [{ a: { b: 1 } }], [{ $addFields: { 'a.c': null } }], [{ a: { b: 1, c: null } }]),
    through(
      'null in the place of one',
      [{ a: { b: 1, d: 2 } }],
      [{ $addFields: { 'a.b': null } }],
      [{ a: { b: null, d: 2 } }],
    ),
    through('a scalar is replaced', [{ a: 5 }], [{ $addFields: { 'a.b': 2 } }], [{ a: { b: 2 } }]),
    through(
      'every element',
      [{ a: [{ b: 1 }, { b: 2, c: 3 }] }],
      [{ $addFields: { 'a.b': 0 } }],
      [{ a: [{ b: 0 }, { b: 0, c: 3 }] }],
    ),
    through('every scalar element', [{ a: [1, 2] }], [{ $addFields: { 'a.b': 0 } }], [{ a: [{ b: 0 }, { b: 0 }] }]),
    partly(
      'every element, whatever it is',
      [{ a: [1, { b: 1 }, [2]] }],
      [{ $addFields: { a: { c: 2 } } }],
      [{ a: [{ c: 2 }, { b: 1, c: 2 }, [{ c: 2 }]] }],
    ),
    through('$literal replaces', [{ a: { b: 1 } }], [{ $addFields: { a: { $literal: { c: 2 } } } }], [{ a: { c: 2 } }]),
  ),
  ...under(
    'replaced fields',
    through('in its place', [{ _id: 1, a: 1, b: 2 }], [{ $addFields: { a: 9 } }], [{ _id: 1, a: 9, b: 2 }]),
    through('null', [{ _id: 1, a: 1, b: 2 }], [{ $addFields: { a: null } }], [{ _id: 1, a: null, b: 2 }]),
    through('$$REMOVE', [{ _id: 1, a: 1, b: 2 }], [{ $addFields: { a: '$$REMOVE' } }], [{ _id: 1, b: 2 }]),
    through(
      '$$REMOVE for some',
      [{ a: 1 }, { a: 2 }],
      [{ $set: { a: { $cond: [{ $gt: ['$a', 1] }, '$$REMOVE', '$a'] } } }],
      [{ a: 1 }, {}],
    ),
    through(
      'a new one comes last',
      [{ _id: 1, a: 1 }],
      [{ $addFields: { c: '$$REMOVE', b: 2 } }],
      [{ _id: 1, a: 1, b: 2 }],
    ),
  ),
  ...under(
    'variables',
    through(
      '$$ROOT and $$CURRENT',
      [{ _id: 1, a: 2 }],
      [{ $set: { a: 3, was: '$$ROOT' } }, { $project: { _id: 0, a: 1, was: 1, now: '$$CURRENT.a' } }],
      [{ a: 3, was: { _id: 1, a: 2 }, now: 3 }],
    ),
    through(
      '$$NOW in several stages',
      [{ a: 1 }],
      [{ $set: { t: '$$NOW' } }, { $project: { same: { $eq: ['$t', '$$NOW'] }, type: { $type: '$$NOW' } } }],
      [{ same: true, type: 'date' }],
    ),
    ...refused(
      [[{ $project: { a: '$$USER_ROLES' } }], 'it looks at the server'],
      [[{ $project: { a: '$$RUUT' } }], 'Did you mean $$ROOT?'],
    ),
  ),
  ...under(
    'paths that collide',
    ...refused(
      [[{ $project: { a: 1, 'a.b': 1 } }], 'collide'],
      [[{ $project: { 'a.b': 1, a: 1 } }], 'collide'],
      [[{ $project: { a: { b: 1 }, 'a.b': 1 } }], 'collide'],
      [[{ $addFields: { 'a.b': 1, a: 1 } }], 'collide'],
      [[{ $unset: ['a', 'a.b'] }], 'collide'],
      [[{ $project: {} }], 'at least one field'],
      [[{ $addFields: {} }], 'at least one field'],
    ),
  ),
  ...under(
    'what $unwind drops',
    through(
      'of anything',
      [{ _id: 1, a: 5 }, { _id: 2, a: null }, { _id: 3 }, { _id: 4, a: [] }, { _id: 5, a: ['x', null] }],
      [{ $unwind: '$a' }],
      [
        { _id: 1, a: 5 },
        { _id: 5, a: 'x' },
        { _id: 5, a: null },
      ],
    ),
    through(
      'preserved',
      [{ _id: 1, a: 5 }, { _id: 2, a: null }, { _id: 3 }, { _id: 4, a: [] }],
      [{ $unwind: { path: '$a', preserveNullAndEmptyArrays: true } }],
      [{ _id: 1, a: 5 }, { _id: 2, a: null }, { _id: 3 }, { _id: 4 }],
    ),
    through(
      'a column of lists',
      [{ _id: 1, a: [7] }, { _id: 2, a: [] }, { _id: 3 }],
      [{ $unwind: { path: '$a', preserveNullAndEmptyArrays: true } }, { $sort: { _id: 1 } }],
      [{ _id: 1, a: 7 }, { _id: 2 }, { _id: 3 }],
    ),
    through('a column of numbers', [{ _id: 1, a: 7 }, { _id: 2 }], [{ $unwind: '$a' }], [{ _id: 1, a: 7 }]),
  ),
  ...under(
    'index of $unwind',
    through(
      'a long from 0, null for what is no array',
      [
        { _id: 1, a: 5 },
        { _id: 5, a: ['x', 'y'] },
      ],
      [{ $unwind: { path: '$a', includeArrayIndex: 'i' } }, { $set: { type: { $type: '$i' } } }],
      [
        { _id: 1, a: 5, i: null, type: 'null' },
        { _id: 5, a: 'x', i: 0, type: 'long' },
        { _id: 5, a: 'y', i: 1, type: 'long' },
      ],
    ),
    through(
      'a dotted path',
      [{ a: ['x'], at: { b: 1 } }],
      [{ $unwind: { path: '$a', includeArrayIndex: 'at.i' } }],
      [{ a: 'x', at: { b: 1, i: 0 } }],
    ),
    through(
      'over the array',
      [{ a: ['x', 'y'] }],
      [{ $unwind: { path: '$a', includeArrayIndex: 'a' } }],
      [{ a: 0 }, { a: 1 }],
    ),
    through(
      'null for what is preserved',
      [{ a: ['x'] }, { a: [] }],
      [{ $unwind: { path: '$a', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true } }, { $sort: { i: 1 } }],
      [{ i: null }, { a: 'x', i: 0 }],
    ),
  ),
  ...under(
    '$unwind within arrays',
    through('a column', [{ a: [{ b: [1, 2] }] }], [{ $unwind: '$a.b' }], []),
    through(
      'preserved',
      [{ a: [{ b: [1, 2] }] }],
      [{ $unwind: { path: '$a.b', preserveNullAndEmptyArrays: true } }],
      [{ a: [{ b: [1, 2] }] }],
    ),
    through(
      'first the outer one',
      [{ a: [{ b: [1, 2] }] }],
      [{ $unwind: '$a' }, { $unwind: '$a.b' }],
      [{ a: { b: 1 } }, { a: { b: 2 } }],
    ),
  ),
]
