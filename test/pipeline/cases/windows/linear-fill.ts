import type { Case } from '../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'fills between, not at the ends',
    documents: [{ x: 0 }, { x: 1, a: 10 }, { x: 2 }, { x: 4, a: 16 }, { x: 9, a: null }],
    pipeline: [
      { $setWindowFields: { sortBy: { x: 1 }, output: { r: { $linearFill: '$a' } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: null }, { r: 10 }, { r: 12 }, { r: 16 }, { r: null }],
  },
  {
    name: 'several gaps',
    documents: [{ x: 0, a: 0 }, { x: 1 }, { x: 2 }, { x: 3, a: 3 }, { x: 4 }, { x: 5, a: 1 }],
    pipeline: [
      { $setWindowFields: { sortBy: { x: 1 }, output: { r: { $linearFill: '$a' } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: 0 }, { r: 1 }, { r: 2 }, { r: 3 }, { r: 2 }, { r: 1 }],
  },
  {
    name: 'a value twice is an error',
    documents: [{ x: 1 }, { x: 1 }],
    pipeline: [{ $setWindowFields: { sortBy: { x: 1 }, output: { r: { $linearFill: '$a' } } } }],
    error: 'only once in a partition',
  },
  {
    name: 'a text is an error',
    documents: [{ x: 1, a: 'x' }],
    pipeline: [{ $setWindowFields: { sortBy: { x: 1 }, output: { r: { $linearFill: '$a' } } } }],
    error: '$linearFill fills numbers only',
  },
  {
    name: 'needs an ascending field',
    pipeline: [{ $setWindowFields: { sortBy: { x: -1 }, output: { r: { $linearFill: '$a' } } } }],
    error: '$linearFill needs sortBy to ascend',
  },
]
