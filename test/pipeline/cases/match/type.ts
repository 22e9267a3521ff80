import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'by name',
    documents: [{ a: 1 }, { a: 1.5 }, { a: 'x' }, { a: null }, {}],
    pipeline: [{ $match: { a: { $type: 'string' } } }],
    result: [{ a: 'x' }],
    wholeInEngine: true,
  },
  {
    name: 'null is not missing',
    documents: [{ a: null }, {}],
    pipeline: [{ $match: { a: { $type: 'null' } } }],
    result: [{ a: null }],
    wholeInEngine: true,
  },
  {
    name: 'number for all numbers',
    documents: [{ a: 1 }, { a: 1.5 }, { a: 'x' }],
    pipeline: [{ $match: { a: { $type: 'number' } } }],
    result: [{ a: 1 }, { a: 1.5 }],
    wholeInEngine: true,
  },
  {
    name: 'by number',
    documents: [{ a: 1 }, { a: 1.5 }, { a: true }],
    pipeline: [{ $match: { a: { $type: [16, 8] } } }],
    result: [{ a: 1 }, { a: true }],
    wholeInEngine: true,
  },
  {
    name: 'an array as such, or by its elements',
    documents: [{ a: ['x'] }, { a: [1] }, { a: 'x' }],
    pipeline: [{ $match: { a: { $type: ['array'] } } }],
    result: [{ a: ['x'] }, { a: [1] }],
    wholeInEngine: true,
  },
  {
    name: 'elements of an array',
    documents: [{ a: ['x', 1] }, { a: [1] }],
    pipeline: [{ $match: { a: { $type: 'string' } } }],
    result: [{ a: ['x', 1] }],
    wholeInEngine: true,
  },
  {
    name: 'int and double are told apart in typed columns',
    calls: [{ score: 4, transcript: [{ turn: 1, actor: 'agent', text: 't' }] }],
    pipeline: [{ $match: { score: { $type: 'double' }, 'transcript.turn': { $type: 'int' } } }, { $count: 'n' }],
    result: [{ n: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'types that no call has',
    documents: [{ a: 1 }],
    pipeline: [{ $match: { a: { $type: ['objectId', 'decimal', -1] } } }],
    result: [],
    wholeInEngine: true,
  },
  { name: 'refuses unknown names', pipeline: [{ $match: { a: { $type: 'strin' } } }], error: 'Did you mean string?' },
  {
    name: 'refuses unknown numbers',
    pipeline: [{ $match: { a: { $type: 99 } } }],
    error: '99 is the number of no type',
  },
  { name: 'refuses nothing', pipeline: [{ $match: { a: { $type: [] } } }], error: 'at least one type' },
]
