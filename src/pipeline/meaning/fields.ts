import type { RuleSet } from './rule.js'

/** $project, $addFields and $unset. */
export const fields: RuleSet = {
  title: 'Fields',
  rules: [
    {
      name: 'places of fields',
      says: '`$project` keeps fields in the order of the document, `_id` first unless excluded, and puts computed ones after, in the order they are written.',
      example: {
        documents: [{ _id: 1, b: 2, a: 3 }],
        pipeline: [{ $project: { z: { $add: ['$a', 1] }, a: 1, y: '$b', b: 1 } }],
        result: [{ _id: 1, b: 2, a: 3, z: 4, y: 2 }],
      },
    },
    {
      name: 'inclusion and exclusion',
      says: '`true` and every number but 0 include. A `$project` either includes or excludes; only `_id` may do the other.',
      example: {
        documents: [{ _id: 1, a: 2, b: 3, c: 4 }],
        pipeline: [{ $project: { _id: 0, a: 0.5, b: -1 } }],
        result: [{ a: 2, b: 3 }],
      },
    },
    {
      name: 'inclusion through arrays',
      says: 'Including `"a.b"` goes through arrays, however deep, drops what is no document in them, and makes nothing of an a that is neither. `{"a.b": 1}` and `{a: {b: 1}}` are the same.',
      example: {
        documents: [
          { _id: 1, a: [{ b: 1, c: 2 }, 5] },
          { _id: 2, a: 5 },
        ],
        pipeline: [{ $project: { 'a.b': 1 } }],
        result: [{ _id: 1, a: [{ b: 1 }] }, { _id: 2 }],
      },
    },
    {
      name: 'fields within fields',
      says: '`$addFields` with a document merges it into the one that is there. On a scalar it replaces it, in an array it sets every element.',
      example: {
        documents: [{ a: { b: 1 } }, { a: 5 }, { a: [{ b: 1 }, 5] }],
        pipeline: [{ $addFields: { a: { c: 2 } } }],
        result: [{ a: { b: 1, c: 2 } }, { a: { c: 2 } }, { a: [{ b: 1, c: 2 }, { c: 2 }] }],
      },
    },
    {
      name: 'replaced fields',
      says: 'A field that is replaced keeps its place; null does not remove it, `$$REMOVE` does.',
      example: {
        documents: [{ a: 1, b: 2, c: 3 }],
        pipeline: [{ $addFields: { a: null, b: '$$REMOVE', d: 4 } }],
        result: [{ a: null, c: 3, d: 4 }],
      },
    },
    {
      name: 'variables',
      says: '`$$ROOT` and `$$CURRENT` are the document as it enters the stage; `$$NOW` is one instant for the whole pipeline.',
      example: {
        documents: [{ a: 1 }],
        pipeline: [{ $project: { all: '$$ROOT', now: { $eq: ['$$NOW', '$$NOW'] } } }],
        result: [{ all: { a: 1 }, now: true }],
      },
    },
    {
      name: 'paths that collide',
      says: 'A path and one within it can not both be set or included; an empty `$project` or `$addFields` is refused.',
      example: {
        documents: [],
        pipeline: [{ $addFields: { a: 1, 'a.b': 1 } }],
        error: 'collide',
      },
    },
    {
      name: 'what $unwind drops',
      says: 'A scalar counts as one element; null, missing and `[]` are dropped. With `preserveNullAndEmptyArrays` `[]` becomes a missing field and null stays null.',
      example: {
        documents: [{ _id: 1, a: 5 }, { _id: 2, a: null }, { _id: 3 }, { _id: 4, a: [] }, { _id: 5, a: ['x'] }],
        pipeline: [{ $unwind: '$a' }],
        result: [
          { _id: 1, a: 5 },
          { _id: 5, a: 'x' },
        ],
      },
    },
    {
      name: 'index of $unwind',
      says: '`includeArrayIndex` gives a long from 0, null for what was no array. It may be a dotted path, and may overwrite the array.',
      example: {
        documents: [{ a: ['x', 'y'] }, { a: 'z' }],
        pipeline: [{ $unwind: { path: '$a', includeArrayIndex: 'at.i' } }],
        result: [
          { a: 'x', at: { i: 0 } },
          { a: 'y', at: { i: 1 } },
          { a: 'z', at: { i: null } },
        ],
      },
    },
    {
      name: '$unwind within arrays',
      says: 'A path through another array is not walked: unwind that one first.',
      example: {
        documents: [{ a: [{ b: [1, 2] }] }],
        pipeline: [{ $unwind: '$a.b' }],
        result: [],
      },
    },
  ],
}
