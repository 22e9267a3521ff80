import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../../src/base/problem.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import { scope } from '../../src/pipeline/scope.js'
import { arbitraryCalls } from '../support/arbitrary-calls.js'
import { type CallEngine, callEngine } from '../support/call-engine.js'
import { typedTexts } from '../support/pipeline-cases.js'
import { randomPipeline } from '../support/random-pipeline.js'
import { trapCalls } from '../support/trap-calls.js'

/**
 * Whatever strangers hold, an answer is what it would be without them: its documents, its failure and where its stages
 * ran, which depends on values the engine meets.
 */

const PIPELINES = 10
const STAGES = 4

interface Answer {
  readonly documents?: readonly string[]
  readonly stages?: number
  readonly failure?: boolean
}

async function answer(engine: CallEngine, pipeline: readonly object[], agents: readonly string[]): Promise<Answer> {
  try {
    const { documents, engineStages } = await engine.compiled(pipeline, scope('p', agents))
    return { documents: typedTexts(documents, true).map(coarse), stages: engineStages }
  } catch (error) {
    // Which of several failures is told is free; that one is told is not.
    if (error instanceof Problem) return { failure: true }
    throw error
  }
}

/** Sums of doubles may differ in their last digits with the order they are added in. */
const coarse = (text: string) => text.replaceAll(/double\(([^)]*)\)/g, (_, digits) => Number(digits).toPrecision(9))

const named = (calls: readonly CallRecord[], prefix: string) =>
  calls.map((call, i) => ({ ...call, session_id: `${prefix}${i}`, agent_name: `${prefix}-${call.agent_name}` }))

/** One of each in turn, so that strangers stand before, between and after. */
function mixed(a: readonly CallRecord[], b: readonly CallRecord[]): readonly CallRecord[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [b[i], a[i]])
    .flat()
    .filter(call => call !== undefined)
}

test('an answer does not depend on what strangers hold', async () => {
  const seeds = fc.array(fc.nat(), { minLength: PIPELINES, maxLength: PIPELINES })
  await fc.assert(
    fc.asyncProperty(arbitraryCalls, arbitraryCalls, seeds, async (mine, others, drawn) => {
      const ours = named(mine, 'our')
      const strangers = [...named(others, 'stranger'), ...trapCalls('p', 'Trap')]
      const agents = [...new Set(ours.map(call => call.agent_name))]
      const alone = await callEngine(ours)
      const among = await callEngine(mixed(ours, strangers))
      try {
        for (const seed of drawn) {
          const pipeline = randomPipeline(seed, STAGES)
          // oxlint-disable no-await-in-loop -- one connection each
          const wanted = await answer(alone, pipeline, agents)
          expect({ pipeline, ...(await answer(among, pipeline, agents)) }).toEqual({ pipeline, ...wanted })
          // oxlint-enable no-await-in-loop
        }
      } finally {
        alone.close()
        among.close()
      }
    }),
    { seed: 20_261_121, numRuns: 8, endOnFailure: true },
  )
})

/**
 * The engine gives up where it meets a value that it can't treat exactly, with an error of its own: it must not meet those
 * of strangers, whatever it filters by first.
 */
test('the engine does not give up for values of strangers, however many', async () => {
  const agents = ['Ana', 'Bo', 'Cy']
  const ours = (i: number) => ({ x: i % 7 === 0 ? 'a' : 1 + (i % 3) })
  const theirs = (i: number) => ({ x: i % 8 === 3 ? { y: 1 } : 1e-7 })
  const calls = Array.from({ length: 5_000 }, (_, i) => ({
    session_id: `s${i}`,
    agent_name: agents[i % 4] ?? 'Stranger',
    created_dt: '2026-03-01T00:00:00Z',
    score: 1 + (i % 40) / 10,
    session_metadata: i % 4 < 3 ? ours(i) : theirs(i),
  }))
  const x = '$session_metadata.x'
  const text = { $toString: x }
  const isA = { $eq: [text, 'a'] }
  const pipelines: readonly (readonly object[])[] = [
    [{ $match: { score: { $gt: 2 }, $expr: isA } }, { $match: { $expr: { $ne: [text, 'b'] } } }, { $count: 'n' }],
    [{ $addFields: { text } }, { $match: { text: { $gt: '1' }, score: { $lt: 3 } } }, { $sortByCount: '$text' }],
    [{ $redact: { $cond: [isA, '$$KEEP', '$$PRUNE'] } }, { $count: 'n' }],
    [{ $sort: { 'session_metadata.x': 1 } }, { $match: { score: { $gt: 2 } } }, { $limit: 5 }],
    [{ $group: { _id: text, most: { $max: x } } }, { $match: { _id: '1' } }],
    [
      { $setWindowFields: { partitionBy: x, sortBy: { score: 1 }, output: { n: { $documentNumber: {} } } } },
      { $match: { n: { $lt: 3 } } },
    ],
  ]
  const engine = await callEngine(calls)
  try {
    for (const pipeline of pipelines) {
      for (const within of [agents, ['Ana']]) {
        // oxlint-disable-next-line no-await-in-loop -- one connection
        const { engineStages } = await engine.compiled(pipeline, scope('p', within))
        expect({ pipeline, engineStages }).toEqual({ pipeline, engineStages: pipeline.length })
      }
    }
    const [, , , sorted] = pipelines
    const everyone = await engine.compiled(sorted, scope('p', 'all'))
    expect(everyone.engineStages).toBe(0)
  } finally {
    engine.close()
  }
})

/**
 * What a row costs that leaves the scan, above all its transcript, can be told from outside. So none of strangers may leave
 * it, however well it meets the caller's own conditions: by the time could be told that there are such calls.
 */
test('no row of strangers leaves the scan, of however many agents a key hears', async () => {
  const agents = Array.from({ length: 60 }, (_, i) => `Agent ${i}`)
  const calls = Array.from({ length: 3_000 }, (_, i) => ({
    session_id: `s${i}`,
    agent_name: agents[i % 60] ?? '',
    created_dt: new Date(Date.UTC(2026, 2, 1, 0, i)).toISOString(),
    channel: 'phone' as const,
    transcript: [{ turn: 0, actor: 'agent' as const, text: `This is call ${i}.` }],
  }))
  const engine = await callEngine(calls)
  const texts = { $project: { transcript: 1 } }
  try {
    for (const heard of [1, 2, 3, 7, 30, 59]) {
      const within = scope('p', agents.slice(0, heard))
      const stranger = { agent_name: 'Agent 59', channel: 'phone' }
      const one = { session_id: 's59' }
      const day = { created_dt: { $lt: '2026-03-01T01:00:00Z' } }
      const rows = []
      // oxlint-disable-next-line no-await-in-loop -- one connection
      for (const match of [stranger, one, day]) rows.push(await engine.scanned([{ $match: match }, texts], within))
      expect({ heard, rows }).toEqual({ heard, rows: [0, 0, heard] })
    }
  } finally {
    engine.close()
  }
})
