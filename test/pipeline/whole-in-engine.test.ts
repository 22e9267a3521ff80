import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { now } from '../../bench/corpus/analyst-questions.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { disagreement } from '../support/agreement.js'
import { type CallEngine, askedOnce, callEngine } from '../support/call-engine.js'

/**
 * How much of what analysts write runs whole in the engine: of single forms and of questions that were written before anybody
 * looked. Each answer is also the evaluator's. What does not run whole is named here.
 */

type Table = Readonly<Record<string, readonly object[]>>

const table = (name: string): Table => parse(readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8')) as Table

const tables = [
  {
    name: 'forms',
    outside: [],
  },
  {
    name: 'questions',
    outside: ['Pareto, drivers that make 80 percent?'],
  },
] as const satisfies readonly { readonly name: string; readonly outside: readonly string[] }[]

const calls = [...generateCalls({ calls: 60, seed: 9, agents: 5, end: now }).lines].map((line): CallRecord => {
  const call = JSON.parse(line) as CallRecord
  return { ...call, agent_id: call.agent_name.toLowerCase() }
})

let engine: CallEngine
beforeAll(async () => {
  engine = askedOnce(await callEngine(calls, now))
})
afterAll(() => engine.close())

describe.each(tables)('$name', ({ name, outside }) => {
  test('run whole in the engine, but for those named', async () => {
    const evaluated: string[] = []
    for (const [what, pipeline] of Object.entries(table(name))) {
      // oxlint-disable-next-line no-await-in-loop -- one connection
      const { engineStages } = await engine.compiled(pipeline)
      if (engineStages < pipeline.length) evaluated.push(what)
    }
    expect(evaluated).toEqual(outside)
  })

  test.each(Object.entries(table(name)))('%s', async (_, pipeline) => {
    expect(await disagreement(engine, pipeline)).toBeUndefined()
  })
})
