import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '@modelcontextprotocol/client'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureTokens, medianTokens } from '../../bench/tokens/measure-tokens.js'
import { questions } from '../../src/questions/questions.js'
import { connectClient } from '../support/mcp-client.js'
import { type RunningService, startService } from '../support/start-service.js'

// Models pay for every token they read, and think less well the more of them there are. What the demo's answers cost, each with a
// bound some tenth above what it takes: who adds to an answer sees here what that costs.

/** Most tokens of an answer, by tool and question. */
const MOST: Readonly<Record<string, number>> = {
  'get_project_context: as it is': 1_300,
  'search_calls: the newest ten': 1_150,
  'search_calls: the worst fifty': 5_050,
  'get_call_detail: with its transcript': 3_200,
  'get_call_detail: without': 1_800,
  'compare_calls: two calls': 3_650,
  'get_project_summary: all time': 4_350,
  'get_agent_performance: all time': 2_300,
  'get_agent_performance: include_signals': 9_900,
  'get_agent_performance: one agent': 1_100,
  'query_interactions: mean score by agent': 350,
  'detect_changes: last 28 days': 1_500,
  'get_signals: the whole catalog': 1_500,
  'search_guidance: the first 25': 2_050,
  'query_knowledge_base: two words': 400,
  'query_user_activity: summary': 200,
}

/** Most tokens of what stands for a tool, in the middle of the twelve; of all definitions, without and with the schemas of answers. */
const MEDIAN = 1_200
const DEFINITIONS = 5_700
const WITH_ANSWERS = 9_900

const scratch = mkdtempSync(join(tmpdir(), 'earshot-tokens-'))
let service: RunningService
let client: Client
let measured: Awaited<ReturnType<typeof measureTokens>>
beforeAll(async () => {
  service = await startService({ dataDir: join(scratch, 'demo'), calls: 3_000 })
  client = await connectClient(service.mcp_url, service.application_key)
  measured = await measureTokens(client)
})
afterAll(async () => {
  await client.close()
  await service.end()
  rmSync(scratch, { recursive: true, force: true })
})

describe('the tokens of answers over the demo', () => {
  test('stay within the bound of each', () => {
    const named = measured.costs.map(({ tool, question, tokens }) => [`${tool}: ${question}`, tokens] as const)
    expect(named.map(([name]) => name)).toEqual(Object.keys(MOST))
    expect(named.filter(([name, tokens]) => tokens > MOST[name]!)).toEqual([])
  })

  test('are measured of every tool, and of the twelve the middle one is small', () => {
    const typical = measured.costs.filter(one => one.typical === true)
    expect(new Set(typical.map(one => one.tool))).toEqual(new Set(questions.map(question => question.name)))
    expect(medianTokens(measured.costs)).toBeLessThanOrEqual(MEDIAN)
  })

  test('begin with the definitions, which stay within theirs', () => {
    expect(measured.definitions).toBeLessThanOrEqual(DEFINITIONS)
    expect(measured.withAnswers).toBeLessThanOrEqual(WITH_ANSWERS)
  })
})
