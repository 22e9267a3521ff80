import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluate, parsePipeline } from '../../src/pipeline/index.js'
import { fieldsRead } from '../../src/pipeline/fields-read.js'
import type { Document } from '../../src/pipeline/value.js'
import { arbitraryCalls } from '../support/arbitrary-calls.js'
import { NOW, recordShape, toDocument } from '../support/call-engine.js'
import { randomPipeline } from '../support/random-pipeline.js'
import { sized } from '../support/whole.js'

// Of calls that leave the engine only those fields are fetched that the stages after it can touch.

const read = (pipeline: readonly object[]) => {
  const fields = fieldsRead(parsePipeline(pipeline, { shape: recordShape }).stages)
  return fields === 'all' ? fields : [...fields].toSorted()
}

test.each<[string, readonly object[], 'all' | string[]]>([
  ['nothing to run', [], 'all'],
  ['a filter', [{ $match: { score: 1 } }], 'all'],
  ['a count', [{ $match: { score: 1, 'trust.level': 'high' } }, { $count: 'n' }], ['score', 'trust']],
  [
    'a group',
    [{ $sort: { title: 1 } }, { $group: { _id: '$channel', s: { $first: '$score' } } }],
    ['channel', 'score', 'title'],
  ],
  ['a group of whole documents', [{ $group: { _id: null, all: { $push: '$$ROOT' } } }], 'all'],
  ['a field by its name', [{ $group: { _id: { $getField: 'score' } } }], 'all'],
  ['a projection', [{ $project: { _id: 0, score: 1, 'trust.level': 1, x: '$title' } }], ['score', 'title', 'trust']],
  ['a field set in another', [{ $project: { 'trust.x': '$title' } }], ['_id', 'title', 'trust']],
  ['an exclusion', [{ $unset: ['title', 'trust.level'] }, { $project: { title: 1, score: 1 } }], ['_id', 'score']],
  ['a field that is replaced', [{ $set: { score: '$title' } }, { $project: { _id: 0, score: 1 } }], ['title']],
  ['a field that is added to', [{ $set: { 'trust.x': 1 } }, { $project: { _id: 0, trust: 1 } }], ['trust']],
  ['a new root', [{ $replaceRoot: { newRoot: { a: '$title' } } }], ['title']],
  ['the same root', [{ $replaceRoot: { newRoot: '$$ROOT' } }], 'all'],
  ['facets', [{ $facet: { a: [{ $count: 'n' }], b: [{ $sortByCount: '$channel' }] } }], ['channel']],
  ['a facet of whole documents', [{ $facet: { a: [{ $count: 'n' }], b: [{ $limit: 1 }] } }], 'all'],
  [
    'a window',
    [{ $setWindowFields: { sortBy: { created_dt: 1 }, output: { n: { $sum: '$score' } } } }, { $group: { _id: '$n' } }],
    ['created_dt', 'n', 'score'],
  ],
  ['what may touch anything', [{ $redact: '$$KEEP' }, { $count: 'n' }], 'all'],
])('%s', (_what, pipeline, fields) => {
  expect(read(pipeline)).toEqual(fields)
})

const outcome = (pipeline: readonly object[], documents: readonly Document[]) => {
  const parsed = parsePipeline(pipeline, { shape: recordShape, now: NOW })
  try {
    return evaluate(parsed, documents)
  } catch (error) {
    return (error as Error).message
  }
}

/** Random pipelines are not all let through. */
const isAllowed = (pipeline: readonly object[]) => {
  try {
    parsePipeline(pipeline, { shape: recordShape, now: NOW })
    return true
  } catch {
    return false
  }
}

const isRandom = (pipeline: readonly object[]) => /\$rand|\$sample/.test(JSON.stringify(pipeline))

test('the other fields could as well not be there', () => {
  fc.assert(
    fc.property(arbitraryCalls, fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), (calls, seeds) => {
      const documents = calls.map(toDocument)
      for (const pipeline of seeds
        .map(seed => randomPipeline(seed, 4))
        .filter(one => isAllowed(one) && !isRandom(one))) {
        const fields = fieldsRead(parsePipeline(pipeline, { shape: recordShape, now: NOW }).stages)
        if (fields === 'all') continue
        const pruned = documents.map((document): Document =>
          Object.fromEntries(Object.entries(document).filter(([name]) => fields.has(name))),
        )
        expect([pipeline, outcome(pipeline, pruned)]).toEqual([pipeline, outcome(pipeline, documents)])
      }
    }),
    { seed: 20_261_121, numRuns: sized(30, 60) },
  )
})
