import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analystQuestions, now } from '../../bench/corpus/analyst-questions.js'
import { comparable } from '../../bench/corpus/comparable.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { toPlain } from '../../src/pipeline/index.js'
import { disagreement } from '../support/agreement.js'
import { arbitraryCalls } from '../support/arbitrary-calls.js'
import { type CallEngine, askedOnce, callEngine } from '../support/call-engine.js'

/**
 * What analysts really ask: the engine's answer is the evaluator's, and that of the SQL beside it; at least 95 of 100
 * questions run whole in the engine. `npm run bench:pipeline` takes their times.
 */

const generated = [...generateCalls({ calls: 250, seed: 5, agents: 8, end: now }).lines].map(line => {
  const call = JSON.parse(line) as CallRecord
  return { ...call, agent_id: call.agent_name.toLowerCase() }
})

let usual: CallEngine
let odd: CallEngine
beforeAll(async () => {
  usual = askedOnce(await callEngine(generated, now))
  const drawn = fc.sample(arbitraryCalls, { seed: 7, numRuns: 12 }).flat()
  odd = await callEngine(
    drawn.map((call, i) => ({ ...call, session_id: `c${i}` })),
    now,
  )
})
afterAll(() => {
  usual.close()
  odd.close()
})

const steady = analystQuestions.filter(({ unsteady }) => unsteady !== true)

describe('the engine gives what the evaluator gives', () => {
  test.each(steady)('$question', async ({ pipeline }) => {
    expect(await disagreement(usual, pipeline, true)).toBeUndefined()
    expect(await disagreement(odd, pipeline, true)).toBeUndefined()
  })
})

describe('the SQL beside it asks the same', () => {
  test.each(steady)('$question', async ({ pipeline, sql }) => {
    const { documents } = await usual.compiled(pipeline)
    const rows = await usual.rows(sql)
    expect(comparable(documents.map(document => toPlain(document) as object))).toEqual(comparable(rows))
  })
})

test('at least 95 of 100 run whole in the engine', async () => {
  const partly: string[] = []
  for (const { question, pipeline } of analystQuestions) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    const { engineStages } = await usual.compiled(pipeline)
    if (engineStages < pipeline.length) partly.push(`${question} (${engineStages} of ${pipeline.length} stages)`)
  }
  expect(analystQuestions.length).toBeGreaterThanOrEqual(60)
  expect(partly.slice(Math.floor(analystQuestions.length * 0.05))).toEqual([])
})
