import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'drops one field',
    documents: [{ _id: 1, a: 1, b: 2 }],
    pipeline: [{ $unset: 'a' }],
    result: [{ _id: 1, b: 2 }],
    wholeInEngine: true,
  },
  {
    name: 'drops several, also inside and _id',
    documents: [{ _id: 1, a: 1, b: { c: 2, d: 3 }, l: [{ x: 1, y: 2 }] }],
    pipeline: [{ $unset: ['_id', 'a', 'b.c', 'l.x'] }],
    result: [{ b: { d: 3 }, l: [{ y: 2 }] }],
    wholeInEngine: true,
  },
  { name: 'refuses nothing', pipeline: [{ $unset: [] }], error: 'a field name or an array of field names' },
  { name: 'refuses numbers', pipeline: [{ $unset: 1 }], error: 'a field name or an array of field names' },
  { name: 'refuses a path twice', pipeline: [{ $unset: ['a', 'b', 'a'] }], error: 'the paths "a" and "a" collide' },
]
