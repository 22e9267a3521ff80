import { afterAll, beforeAll, expect, test } from 'vitest'
import { DayBudgets } from '../../src/admission/day-budgets.js'
import { callTool, ToolRegistry } from '../../src/mcp/tools.js'
import { questions } from '../../src/questions/questions.js'
import { silent } from '../support/access.js'
import { startCallsApi } from '../support/calls-api.js'
import { caller } from '../support/asking.js'
import { canaryCall } from '../support/text-free.js'

/** Keys with a budget of their own: what is counted of it, what is said of it, and what is refused when it is spent. */

let api: Awaited<ReturnType<typeof startCallsApi>>
beforeAll(async () => {
  api = await startCallsApi()
  const body = Array.from({ length: 8 }, (_, n) => JSON.stringify(canaryCall(n))).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const stored = await api.call('POST', '/api/v1/interactions', { as: await api.mint(), body, headers })
  if (stored.status !== 200) throw new Error('The calls were not stored')
})
afterAll(() => api.close())

test('so many questions a day, of whatever kind; the rest is told of, and what the key hears is free', async () => {
  const as = await api.mint({ questions_per_day: 3 })
  const left = async (path: string) => {
    const { status, headers } = await api.call('GET', path, { as })
    return [status, headers.get('earshot-budget-left')?.replace(/renewed_at=.*/, '')]
  }
  expect(await left('/api/v1/scope')).toEqual([200, 'questions=3, '])
  expect(await left('/api/v1/summary')).toEqual([200, 'questions=2, '])
  expect(await left('/api/v1/interactions/call-0')).toEqual([200, 'questions=1, '])
  const feedback = { rating: 4, text: 'Short' }
  expect((await api.call('POST', '/api/v1/interactions/call-0/feedback', { as, body: feedback })).status).toBe(201)
  const refused = await api.call('GET', '/api/v1/summary', { as })
  expect(refused).toMatchObject({ status: 429, json: { code: 'too_many_requests' } })
  expect(refused.json).toMatchObject({ error: expect.stringContaining('3 questions; it may ask again from') })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await api.call('GET', '/api/v1/bulk/interactions', { as })).status).toBe(429)
  expect(await left('/api/v1/scope')).toEqual([200, 'questions=0, '])
})

test('bytes are those of answers, also of ones that stream; work is what the engine does', async () => {
  const as = await api.mint({ bytes_per_day: 1_000_000, processor_seconds_per_day: 100 })
  const left = async (path: string) => {
    const { headers, text } = await api.call('GET', path, { as })
    const said = /bytes=(\d+), work_ms=(\d+)/.exec(
      (await api.call('GET', '/api/v1/scope', { as })).headers.get('earshot-budget-left') ?? '',
    )
    return { bytes: Number(said?.[1]), workMs: Number(said?.[2]), length: text.length, headers }
  }
  const one = await left('/api/v1/interactions/call-1')
  expect(one.bytes).toBe(1_000_000 - one.length)
  expect(one.workMs).toBeLessThan(100_000)
  const bulk = await left('/api/v1/bulk/interactions')
  expect(one.bytes - bulk.bytes).toBe(bulk.length)
  const little = await api.mint({ bytes_per_day: 1 })
  expect((await api.call('GET', '/api/v1/summary', { as: little })).status).toBe(200)
  expect((await api.call('GET', '/api/v1/summary', { as: little })).json).toMatchObject({
    error: expect.stringContaining('1 bytes of answers'),
  })
})

test('a tool’s answer says what is left in its _meta', async () => {
  const budgets = new DayBudgets()
  const who = { ...caller(), terms: { since: '2026-01-01T00:00:00Z', budget: { questions: 5 } } }
  const never = () => Promise.reject(new Error('is not asked'))
  const answering = { answer: async () => ({ count: 0 }), read: never, write: never, complete: never }
  const trail = { append: never, health: () => undefined, sessionHash: () => '' }
  const parts = { tools: new ToolRegistry(questions), answering, trail, resultBytes: 1_000, admission: { budgets } }
  budgets.take(who.credential_id, who.terms.budget)
  const ask = (as: typeof who | ReturnType<typeof caller>) =>
    callTool(
      parts,
      { request: { caller: as, requestId: 'r', log: silent } as never, signal: new AbortController().signal },
      { name: 'get_project_summary' },
    )
  expect((await ask(who))._meta).toEqual({ 'earshot/budget': { questions: 4, renewed_at: expect.any(String) } })
  expect(await ask(caller())).not.toHaveProperty('_meta')
})
