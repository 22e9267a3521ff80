import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { connectClient } from '../support/mcp-client.js'
import { type RunningService, startService } from '../support/start-service.js'

// What a manager would act on, asked of the real service through its tools.

const DAY_MS = 86_400_000
const scratch = mkdtempSync(join(tmpdir(), 'earshot-changes-'))
const dataDir = join(scratch, 'demo')
let service: RunningService
let client: Client

beforeAll(async () => {
  service = await startService({ dataDir, calls: 3_000 })
  client = await connectClient(service.mcp_url, service.application_key)
})
afterAll(async () => {
  await client.close()
  await service.end()
  rmSync(scratch, { recursive: true, force: true })
})

const changesSchema = z.object({
  changes: z.array(
    z.object({
      category: z.string(),
      key: z.string(),
      direction: z.string(),
      significance: z.string(),
      carried_by: z.string().optional(),
      also: z.array(z.object({ category: z.string(), key: z.string() })).optional(),
    }),
  ),
  agents_compared: z.int(),
  calls_compared_share: z.number(),
  earlier_pairs: z.int(),
  tested: z.int(),
})

async function changesOf(asking: Client, period: string) {
  const { structuredContent } = await asking.callTool({ name: 'detect_changes', arguments: { period } })
  return changesSchema.parse(structuredContent)
}

test('the planted decline of one agent of the demo is one entry, which names her', async () => {
  const marker = z
    .object({ calls: z.int(), seed: z.int(), end: z.iso.datetime() })
    .parse(JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')))
  const generated = generateCalls({ ...marker, end: new Date(marker.end), unevaluated: true })
  let made = 0
  for (const line of generated.lines) made += line === '' ? 0 : 1
  expect(made).toBeGreaterThanOrEqual(marker.calls)
  const declined = generated.report().planted.find(({ kind }) => kind === 'agent_declined')
  expect(declined).toBeDefined()

  const { changes } = await changesOf(client, 'last 2 weeks')
  const hers = changes.filter(({ key, carried_by: by }) => key === declined!.key || by === declined!.key)
  expect(hers).toMatchObject([{ category: 'agent', key: declined!.key, direction: 'down' }])
  // A fall of the team's scores that is only hers is no entry by itself.
  expect(changes.filter(({ category, direction }) => category === 'score' && direction === 'down')).toEqual([])
})

test('a replaced third of the roster is no change', async () => {
  const admin = { authorization: `Bearer ${service.admin_token}`, 'content-type': 'application/json' }
  const ask = async (path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const answer = await fetch(`${service.api_url}${path}`, { method: 'POST', headers: { ...admin, ...headers }, body })
    expect([200, 201]).toContain(answer.status)
    return await answer.json()
  }
  await ask('/api/v1/projects', JSON.stringify({ project_id: 'roster', name: 'Roster' }))
  // Four months of 360 calls; in the last the four best have left, and four weaker ones have joined.
  const end = Date.parse('2026-05-01T00:00:00Z')
  const skill = (agent: number) => (agent < 4 ? 4.6 : agent < 12 ? 4 : 3.2)
  const lines = Array.from({ length: 120 * 12 }, (_, i) => {
    const day = Math.floor(i / 12)
    const agent = (i % 12) + (day >= 90 ? 4 : 0)
    const noise = (((i * 7_919) % 11) - 5) / 10
    return JSON.stringify({
      session_id: `r${i}`,
      agent_name: `Agent ${String.fromCodePoint(65 + agent)}`,
      created_dt: new Date(end - (120 - day) * DAY_MS + (i % 12) * 3_000_000).toISOString(),
      score: Math.min(5, Math.max(1, Math.round((skill(agent) + noise) * 10) / 10)),
      evaluation: { evaluator: 'imported' },
    })
  })
  await ask('/api/v1/interactions', lines.join('\n'), {
    'x-project-id': 'roster',
    'content-type': 'application/x-ndjson',
  })
  const { key } = z
    .object({ key: z.string() })
    .parse(await ask('/projects/roster/mcp-keys', JSON.stringify({ name: 'roster' })))
  const roster = await connectClient(service.mcp_url, key)
  try {
    const found = await changesOf(roster, '2026-04-01 to 2026-04-30')
    expect(found).toMatchObject({ agents_compared: 8, earlier_pairs: 2 })
    expect(found.tested).toBeGreaterThan(0)
    expect(found.calls_compared_share).toBeCloseTo(8 / 12, 2)
    // The mean of all calls fell by almost half a point all the same.
    const { structuredContent } = await roster.callTool({
      name: 'get_project_summary',
      arguments: { interval: 'month' },
    })
    const months = z
      .object({ trend: z.array(z.object({ average_score: z.number() })) })
      .parse(structuredContent)
      .trend.map(one => one.average_score)
    expect(Math.abs(months.at(-1)! - months.at(-2)!)).toBeGreaterThan(0.4)
    expect(found.changes.filter(({ significance }) => significance === 'high')).toEqual([])
  } finally {
    await roster.close()
  }
})
