import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'keeps each value once',
    documents: [{ n: 'x' }, { n: 'x' }],
    pipeline: [{ $group: { _id: null, value: { $addToSet: '$n' } } }],
    result: [{ _id: null, value: ['x'] }],
    wholeInEngine: true,
  },
  {
    name: 'takes 1 and 1.0 for one',
    documents: [{ n: 1 }, { n: { $numberDouble: '1' } }],
    pipeline: [{ $group: { _id: null, value: { $addToSet: '$n' } } }],
    result: [{ _id: null, value: [1] }],
  },
  {
    name: 'leaves missing out',
    documents: [{ n: 'x' }, {}],
    pipeline: [{ $group: { _id: null, value: { $addToSet: '$n' } } }],
    result: [{ _id: null, value: ['x'] }],
    wholeInEngine: true,
  },
  {
    name: 'keeps null',
    documents: [{ n: null }, { n: null }],
    pipeline: [{ $group: { _id: null, value: { $addToSet: '$n' } } }],
    result: [{ _id: null, value: [null] }],
  },
  {
    name: 'keeps documents with other order of fields',
    documents: [{ n: { a: 1, b: 1 } }, { n: { a: 1, b: 1 } }],
    pipeline: [{ $group: { _id: null, value: { $addToSet: '$n' } } }],
    result: [{ _id: null, value: [{ a: 1, b: 1 }] }],
  },
]
