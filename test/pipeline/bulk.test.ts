import { describe, expect, test } from 'vitest'
import { compile, narrow, parsePipeline } from '../../src/pipeline/index.js'
import { scope } from '../../src/pipeline/scope.js'
import { callSource } from '../../src/store/duckdb/reading/call-source.js'
import { NOW, recordShape } from '../support/call-engine.js'

/**
 * What multiplies its values is evaluated, where they are counted as they are made: the engine would make them for 2,048
 * rows at once, in memory that its limit does not count and without a pause to be interrupted in.
 */

function stagesInEngine(pipeline: readonly object[]): number {
  const parsed = parsePipeline(pipeline, { shape: recordShape, now: NOW })
  return compile(narrow(parsed, scope('p', 'all')), callSource).engineStages
}

const repeated = (times: number, stage: object) => Array.from({ length: times }, () => stage)
const range = (items: number) => ({ $range: [0, items] })
const map = (input: unknown, inside: unknown, as = 'this') => ({ $map: { input, as, in: inside } })
const filter = (input: unknown, cond: unknown) => ({ $filter: { input, cond } })
const steps = (input: unknown, each: unknown) => ({
  $reduce: { input, initialValue: 0.5, in: { $add: ['$$value', each] } },
})
/** How many signals there are for each signal of each signal … */
const within = (levels: number): object => ({
  $size: filter('$signals', { $gt: [levels === 1 ? '$$this.strength' : within(levels - 1), 0] }),
})
const wide = (items: number) => Object.fromEntries(Array.from({ length: items }, (_, i) => [`f${i}`, range(1_000)]))
const wideTexts = (fields: number) =>
  Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f${i}`, 'x'.repeat(1_500)]))
const pushed = { $group: { _id: null, all: { $push: '$title' } } }
const beside = { $setWindowFields: { sortBy: { created_dt: 1 }, output: { all: { $push: '$title' } } } }

describe('is evaluated before it grows beyond measure', () => {
  test.each<[string, readonly object[]]>([
    ['an array doubled', [{ $set: { a: ['x'] } }, ...repeated(30, { $set: { a: { $concatArrays: ['$a', '$a'] } } })]],
    ['a set doubled', [{ $set: { a: ['x'] } }, ...repeated(30, { $set: { a: { $setUnion: ['$a', '$a'] } } })]],
    ['a text doubled', repeated(30, { $set: { title: { $concat: ['$title', '$title'] } } })],
    ['a document doubled', repeated(30, { $set: { title: { x: '$title', y: '$title' } } })],
    ['a document doubled inside', repeated(30, { $set: { 'w.x': '$w', 'w.y': '$w' } })],
    ['an array of arrays doubled', repeated(30, { $set: { title: ['$title', '$title'] } })],
    ['metadata doubled', repeated(30, { $set: { session_metadata: ['$session_metadata', '$session_metadata'] } })],
    ['a text replaced by a longer', repeated(9, replaceAll('a', 'aaaaaaaaaa'))],
    ['nothing replaced by much', repeated(9, replaceAll('', 'aaaaaaaaaa'))],
    ['a long range', [{ $set: { a: range(2_001) } }]],
    ['a range for each of a range', [{ $set: { a: map(range(200), range(200)) } }]],
    ['a list for each of itself', [{ $set: { a: range(100) } }, { $set: { a: map('$a', '$a') } }]],
    ['the same under a name', [{ $set: { a: { $let: { vars: { l: range(100) }, in: map('$$l', '$$l') } } } }]],
    ['the same inside a document', [{ $set: { o: { a: range(100) } } }, { $set: { b: map('$o.a', '$o.a') } }]],
    ['the same after $replaceWith', [{ $replaceWith: { a: range(100) } }, { $set: { b: map('$a', '$a') } }]],
    [
      'the length of a range for each of a range',
      [{ $set: { n: map(range(1_000), { $size: map(range(1_000), 1) }) } }],
    ],
    ['a sum over a range for each step of a sum', [{ $set: { n: steps(range(500), steps(range(500), 0.5)) } }]],
    [
      'a range looked through for each of a range',
      [{ $set: { n: { $size: filter(range(1_000), { $in: ['$$this', range(1_000)] }) } } }],
    ],
    ['long sets compared', [{ $set: { n: { $size: { $setDifference: [range(900), range(1_000)] } } } }]],
    [
      'the same under a name',
      [{ $set: { n: { $let: { vars: { l: range(1_000) }, in: { $size: map('$$l', { $size: map('$$l', 1) }) } } } } }],
    ],
    ['four lists of a call within one another', [{ $set: { n: within(4) } }]],
    [
      'a long computation beside others',
      [{ $set: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}`, steps(range(1_900), 0.5)])) }],
    ],
    ['many ranges beside one another', [{ $set: wide(20) }]],
    ['a group’s list for each of itself', [pushed, { $set: { b: map('$all', '$all') } }]],
    [
      'a group’s list copied over and over',
      [pushed, ...repeated(9, { $set: { all: { $concatArrays: ['$all', '$all'] } } })],
    ],
    [
      'a facet’s list copied',
      [{ $facet: { a: [] } }, ...repeated(9, { $set: { a: { $concatArrays: ['$a', '$a'] } } })],
    ],
    ['a partition’s list changed beside every document', [beside, { $set: { b: { $concatArrays: ['$all', ['x']] } } }]],
    ['a wide window’s list', [pushing([-5_000, 5_000])]],
    ['a running window’s list', [pushing(['unbounded', 'current'])]],
    [
      'a group’s list gathered for each of its elements',
      [pushed, { $set: { b: '$all' } }, { $unwind: '$b' }, { $group: { _id: null, c: { $push: '$all' } } }],
    ],
    [
      'long texts of the pipeline beside every call',
      [{ $set: wideTexts(30) }, { $group: { _id: null, n: { $push: '$$ROOT' } } }],
    ],
  ])('%s', (_, pipeline) => {
    expect(stagesInEngine(pipeline)).toBeLessThan(pipeline.length)
  })
})

describe('runs in the engine as it is asked every day', () => {
  test.each<[string, readonly object[]]>([
    ['numbers doubled', repeated(49, { $set: { score: { $add: ['$score', '$score'] } } })],
    [
      'choices of texts',
      repeated(40, { $set: { title: { $cond: [{ $gt: ['$score', 3] }, '$title', '$agent_name'] } } }),
    ],
    [
      'the product of the scores',
      [
        {
          $set: {
            n: { $reduce: { input: '$scores', initialValue: 1, in: { $multiply: ['$$value', '$$this.value'] } } },
          },
        },
      ],
    ],
    [
      'the turns before each turn',
      [
        {
          $set: {
            n: {
              $map: {
                input: '$transcript',
                as: 'a',
                in: {
                  $size: {
                    $filter: {
                      input: '$transcript',
                      as: 'b',
                      cond: { $and: [{ $lt: ['$$b.turn', '$$a.turn'] }, { $eq: ['$$b.actor', '$$a.actor'] }] },
                    },
                  },
                },
              },
            },
          },
        },
      ],
    ],
    ['the hours of a day', [{ $set: { hours: map(range(24), { hour: '$$this', score: '$score' }) } }]],
    [
      'a label of many fields',
      [{ $set: { label: { $concat: ['$agent_name', ' ', '$title', ' ', '$channel', ' ', '$_id'] } } }],
    ],
    ['signals beside signals', [{ $set: { n: { $size: map('$signals', map('$signals', '$$s.key', 's')) } } }]],
    [
      'the first three of a group',
      [{ $group: { _id: '$agent_name', all: { $push: '$$ROOT' } } }, { $set: { all: { $slice: ['$all', 3] } } }],
    ],
    ['a group’s list mapped', [pushed, { $set: { all: map('$all', { $toUpper: '$$this' }) } }, { $unwind: '$all' }]],
    ['the length of a partition’s list', [beside, { $set: { n: { $size: '$all' } } }]],
    [
      'eight lists of groups at once',
      [
        {
          $facet: Object.fromEntries(
            ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(name => [name, [{ $sortByCount: '$channel' }]]),
          ),
        },
      ],
    ],
    [
      'ten lists of a group',
      [
        {
          $group: {
            _id: '$agent_name',
            ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`l${i}`, { $push: '$title' }])),
          },
        },
      ],
    ],
    ['a moving window’s list', [pushing([-6, 0])]],
    ['all of a call and a field more', [{ $replaceWith: { $mergeObjects: ['$$ROOT', { more: 1 }] } }]],
  ])('%s', (_, pipeline) => {
    expect(stagesInEngine(pipeline)).toBe(pipeline.length)
  })
})

function replaceAll(find: string, replacement: string): object {
  return { $set: { title: { $replaceAll: { input: '$title', find, replacement } } } }
}

function pushing(documents: readonly unknown[]): object {
  return {
    $setWindowFields: { sortBy: { created_dt: 1 }, output: { all: { $push: '$title', window: { documents } } } },
  }
}
