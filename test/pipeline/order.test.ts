import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { disagreement } from '../support/agreement.js'
import { arbitraryCalls } from '../support/arbitrary-calls.js'
import { type CallEngine, NOW, callEngine } from '../support/call-engine.js'
import { sized } from '../support/whole.js'
import { orderedPipeline } from '../support/random-pipeline.js'

/**
 * The order of an answer is total (rules "order of calls", "documents of equal keys", "groups in order"): it does not depend
 * on where calls lie in the store, nor on the run.
 */

const PIPELINES = 12
const STAGES = 5

/** How the answers of two engines with the same calls differ. */
const between = (one: CallEngine, other: CallEngine, pipeline: readonly object[]) =>
  disagreement(
    {
      compiled: asked => other.compiled(asked),
      evaluated: async asked => (await one.compiled(asked)).documents,
    },
    pipeline,
    true,
  )

async function eachOf(
  engines: readonly [CallEngine, CallEngine],
  pipelines: readonly (readonly object[])[],
): Promise<void> {
  for (const pipeline of pipelines) {
    // oxlint-disable-next-line no-await-in-loop -- one connection each
    expect({ pipeline, difference: await between(...engines, pipeline) }).toEqual({ pipeline, difference: undefined })
  }
}

test('an answer comes in the same order wherever its calls lie', async () => {
  const seeds = fc.array(fc.nat(), { minLength: PIPELINES, maxLength: PIPELINES })
  await fc.assert(
    fc.asyncProperty(arbitraryCalls, seeds, async (calls, drawn) => {
      const engines = [await callEngine(calls), await callEngine(calls.toReversed())] as const
      const asked = drawn.map(seed => orderedPipeline(seed, STAGES)).filter(({ ordered }) => ordered)
      try {
        await eachOf(
          engines,
          asked.map(({ pipeline }) => pipeline),
        )
      } finally {
        for (const engine of engines) engine.close()
      }
    }),
    { seed: 20_261_122, numRuns: sized(2, 12), endOnFailure: true },
  )
})

/** Many calls of few agents and instants, so that nearly every key has ties. */
function tiedCalls(): readonly CallRecord[] {
  const { lines } = generateCalls({ calls: sized(400, 3_000), seed: 9, agents: 3, end: NOW })
  return [...lines].map((line, i) => {
    const call = JSON.parse(line) as CallRecord
    return { ...call, created_dt: `2026-03-0${1 + (i % 3)}T00:00:00Z`, transcript: call.transcript?.slice(0, 3) }
  }) as readonly CallRecord[]
}

const turns = { $unwind: '$transcript' }

test('many calls of equal keys come in the same order, run after run', async () => {
  const calls = tiedCalls()
  const shuffled = calls.toSorted((a, b) => (a.session_id < b.session_id ? 1 : -1))
  // With threads that share the work, whose pieces end in any order.
  const engines = [await callEngine(calls, NOW, 2), await callEngine(shuffled, NOW, 2)] as const
  const pipelines = [
    [turns, { $sort: { _id: 1 } }, { $project: { at: '$transcript.turn' } }, { $limit: 500 }],
    [turns, { $group: { _id: '$_id', texts: { $push: '$transcript.text' } } }, { $limit: 300 }],
    [turns, { $sort: { channel: 1 } }, { $skip: 1_000 }, { $limit: 20 }, { $project: { at: '$transcript.turn' } }],
    [{ $sort: { agent_name: 1 } }, { $limit: 200 }, { $project: { score: 1 } }],
    [{ $group: { _id: '$agent_name', first: { $first: '$_id' }, last: { $last: '$_id' }, all: { $push: '$_id' } } }],
    [{ $group: { _id: '$_id', n: { $sum: 1 } } }, { $sort: { n: -1 } }, { $limit: 50 }],
    [{ $sortByCount: '$_id' }, { $limit: 50 }],
    [{ $facet: { a: [{ $limit: 30 }, { $project: { _id: 1 } }], b: [{ $sortByCount: '$_id' }, { $limit: 30 }] } }],
    [
      {
        $setWindowFields: {
          partitionBy: '$agent_name',
          sortBy: { created_dt: 1 },
          output: {
            n: { $documentNumber: {} },
            sum: { $sum: '$score', window: { range: ['unbounded', 'current'], unit: 'day' } },
          },
        },
      },
      { $project: { n: 1, sum: 1 } },
    ],
    [{ $bucketAuto: { groupBy: '$created_dt', buckets: 2, output: { first: { $first: '$_id' } } } }],
    [{ $group: { _id: null, best: { $topN: { n: 5, sortBy: { agent_name: 1 }, output: '$_id' } } } }],
    [{ $group: { _id: null, set: { $addToSet: '$_id' } } }],
  ]
  try {
    for (const pipeline of pipelines) {
      const wanted = engines[0].evaluated(pipeline)
      for (const engine of engines) {
        const [once, again] = [await engine.compiled(pipeline), await engine.compiled(pipeline)]
        expect({ pipeline, documents: again.documents }).toEqual({ pipeline, documents: once.documents })
        const difference = await disagreement(
          { compiled: async () => await Promise.resolve(once), evaluated: () => wanted },
          pipeline,
          true,
        )
        expect({ pipeline, difference }).toEqual({ pipeline, difference: undefined })
      }
    }
  } finally {
    for (const engine of engines) engine.close()
  }
})
