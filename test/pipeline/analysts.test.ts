import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disagreement } from '../support/agreement.js'
import { analystPipelines } from '../support/analyst-pipelines.js'
import { arbitraryCalls } from '../support/arbitrary-calls.js'
import { type CallEngine, callEngine } from '../support/call-engine.js'

/** What analysts really ask runs in the engine from its first stage to its last, with the evaluator's answer. */

let engine: CallEngine
beforeAll(async () => {
  const drawn = fc.sample(arbitraryCalls, { seed: 7, numRuns: 12 }).flat()
  engine = await callEngine(drawn.map((call, i) => ({ ...call, session_id: `c${i}` })))
})
afterAll(() => engine.close())

test.each(analystPipelines)('$question', async ({ pipeline }) => {
  expect(await disagreement(engine, pipeline)).toBeUndefined()
  const { engineStages } = await engine.compiled(pipeline)
  expect(engineStages).toBe(pipeline.length)
})
