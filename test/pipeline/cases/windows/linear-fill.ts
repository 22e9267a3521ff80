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
    name: 'by a field that descends',
    documents: [{ x: 1, a: 1 }, { x: 2 }, { x: 5, a: 13 }],
    pipeline: [
      { $setWindowFields: { sortBy: { x: -1 }, output: { r: { $linearFill: '$a' } } } },
      { $project: { r: 1 } },
    ],
    result: [{ r: 13 }, { r: { $numberDouble: '4' } }, { r: 1 }],
    wholeInEngine: true,
  },
  {
    name: 'runs in the engine, numbers that are there staying what they are',
    calls: [
      { created_dt: '2026-01-01T00:00:00Z', score: 4 },
      { created_dt: '2026-01-02T00:00:00Z' },
      { created_dt: '2026-01-05T00:00:00Z', score: 2 },
      { created_dt: '2026-01-06T00:00:00Z' },
    ],
    wholeInEngine: true,
    pipeline: [
      { $setWindowFields: { sortBy: { created_dt: 1 }, output: { filled: { $linearFill: '$score' } } } },
      { $project: { _id: 0, filled: 1 } },
    ],
    result: [
      { filled: { $numberDouble: '4' } },
      { filled: { $numberDouble: '3.5' } },
      { filled: { $numberDouble: '2' } },
      { filled: null },
    ],
  },
  {
    name: 'integers stay integers beside the doubles between them',
    documents: [{ x: 1, a: 1 }, { x: 2 }, { x: 3, a: 2 }],
    pipeline: [
      { $setWindowFields: { sortBy: { x: 1 }, output: { a: { $linearFill: '$a' } } } },
      { $project: { a: 1, t: { $type: '$a' } } },
    ],
    result: [
      { a: 1, t: 'int' },
      { a: 1.5, t: 'double' },
      { a: 2, t: 'int' },
    ],
  },
  {
    name: 'a value of the field sorted by that comes twice is an error, in another partition it is none',
    calls: [
      { created_dt: '2026-01-01T00:00:00Z', score: 4, agent_name: 'Ana' },
      { created_dt: '2026-01-01T00:00:00Z', score: 2, agent_name: 'Ben' },
      { created_dt: '2026-01-02T00:00:00Z', agent_name: 'Ana' },
      { created_dt: '2026-01-02T00:00:00Z', agent_name: 'Ana' },
    ],
    pipeline: [
      {
        $setWindowFields: {
          partitionBy: '$agent_name',
          sortBy: { created_dt: 1 },
          output: { filled: { $linearFill: '$score' } },
        },
      },
    ],
    error: '$linearFill needs every value of the field that is sorted by only once in a partition',
  },
]
