import type { Case } from '../../../../support/pipeline-cases.js'

export const cases: readonly Case[] = [
  {
    name: 'pairs elements',
    expression: { $zip: { inputs: ['$a', '$b'] } },
    document: { a: [1, 2], b: ['x', 'y'] },
    result: [
      [1, 'x'],
      [2, 'y'],
    ],
  },
  {
    name: 'ends with the shortest',
    expression: { $zip: { inputs: ['$a', '$b'] } },
    document: { a: [1, 2], b: ['x'] },
    result: [[1, 'x']],
  },
  {
    name: 'fills up to the longest',
    expression: { $zip: { inputs: ['$a', '$b'], useLongestLength: true } },
    document: { a: [1, 2], b: ['x'] },
    result: [
      [1, 'x'],
      [2, null],
    ],
  },
  {
    name: 'fills from defaults',
    expression: { $zip: { inputs: ['$a', '$b'], useLongestLength: true, defaults: [0, 'z'] } },
    document: { a: [1, 2], b: ['x'] },
    result: [
      [1, 'x'],
      [2, 'z'],
    ],
  },
  {
    name: 'refuses defaults without the longest',
    expression: { $zip: { inputs: ['$a'], defaults: [0] } },
    error: 'only with useLongestLength',
  },
  {
    name: 'refuses defaults of another number',
    expression: { $zip: { inputs: ['$a'], useLongestLength: true, defaults: [0, 1] } },
    document: { a: [1] },
    error: '$zip takes an array of as many defaults as inputs',
  },
  {
    name: 'is null for a missing input',
    expression: { $zip: { inputs: ['$a', '$nothing'] } },
    document: { a: [1] },
    result: null,
  },
  {
    name: 'refuses what is no array',
    expression: { $zip: { inputs: ['$a'] } },
    document: { a: 'secret' },
    error: '$zip takes arrays as inputs, not string',
  },
  {
    name: 'runs in the engine where all elements are of one type',
    calls: [{ trust: { level: 'high', reasons: ['a', 'b'] } }, {}],
    wholeInEngine: true,
    pipeline: [
      {
        $project: {
          _id: 0,
          z: {
            $zip: { inputs: ['$trust.reasons', { $map: { input: '$trust.reasons', in: { $toUpper: '$$this' } } }] },
          },
        },
      },
    ],
    result: [
      {
        z: [
          ['a', 'A'],
          ['b', 'B'],
        ],
      },
      { z: null },
    ],
  },
  {
    name: 'in the engine too the gaps of the longest are null',
    calls: [{ trust: { level: 'high', reasons: ['a'] } }],
    wholeInEngine: true,
    pipeline: [
      { $project: { _id: 0, z: { $zip: { inputs: ['$trust.reasons', ['x', 'y']], useLongestLength: true } } } },
    ],
    result: [
      {
        z: [
          ['a', 'x'],
          [null, 'y'],
        ],
      },
    ],
  },
  {
    name: 'what comes after a null input is not judged',
    expression: { $zip: { inputs: [null, 5] } },
    result: null,
  },
  {
    name: 'what comes before a null input is',
    expression: { $zip: { inputs: [5, null] } },
    error: '$zip takes arrays as inputs, not int',
  },
]
