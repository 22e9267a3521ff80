import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Completable } from '../../src/questions/completion.js'
import { coachAgent } from '../../src/questions/prompts/coach-agent.js'
import { explainCall } from '../../src/questions/prompts/explain-call.js'
import { weeklyReview } from '../../src/questions/prompts/weekly-review.js'
import { callTranscript } from '../../src/questions/resources/call-transcript.js'
import { projectSignals } from '../../src/questions/resources/project-signals.js'
import { type Asking, asking, caller } from '../support/asking.js'

let service: Asking
beforeAll(async () => {
  service = await asking()
  const call = (session_id: string, agent_name: string, day: number) => ({
    session_id,
    agent_name,
    created_dt: `2026-03-0${day}T10:00:00Z`,
  })
  await service.import('p', [
    call('a-1', 'Ana', 1),
    call('a-2', 'Ana', 3),
    call('a-3', 'Bianca', 2),
    call('b%1', 'Zoë', 1),
    ...Array.from({ length: 150 }, (_, i) => call(`many-${i}`, `Agent ${i}`, 4)),
  ])
  await service.import('other', [call('a-9', 'Anaïs', 5)])
})
afterAll(() => service.close())

const complete = (target: Completable, name: string, value: string, who = caller()) =>
  service.answering.complete(target, who, { name, value }, { requestId: 'r' })

describe('agent_name', () => {
  test('goes on from any part of a name in any case, names that begin so first', async () => {
    expect(await complete(coachAgent, 'agent_name', 'AN')).toEqual({ values: ['Ana', 'Bianca'], more: false })
  })

  test('is compared in composed form', async () => {
    expect(await complete(coachAgent, 'agent_name', 'zoe\u0308')).toMatchObject({ values: ['Zoë'] })
  })

  test('offers a hundred and says that there are more', async () => {
    const { values, more } = await complete(coachAgent, 'agent_name', '')
    expect({ first: values[0], count: values.length, more }).toEqual({ first: 'Ana', count: 100, more: true })
  })

  test('stays within what the key may hear', async () => {
    const narrow = caller({ allowed_agents: ['Bianca', 'Anaïs'] })
    expect(await complete(coachAgent, 'agent_name', '', narrow)).toEqual({ values: ['Bianca'], more: false })
    const none = caller({ require_mapping: true })
    expect(await complete(coachAgent, 'agent_name', '', none)).toEqual({ values: [], more: false })
  })
})

describe.each([
  ['the prompt', explainCall],
  ['the resource', callTranscript],
] as const)('session_id of %s', (_what, target) => {
  test('goes on from its beginning, the newest call first', async () => {
    expect(await complete(target, 'session_id', 'a-')).toEqual({ values: ['a-2', 'a-3', 'a-1'], more: false })
    expect(await complete(target, 'session_id', 'b%')).toEqual({ values: ['b%1'], more: false })
  })

  test('offers a hundred and says that there are more', async () => {
    const { values, more } = await complete(target, 'session_id', '')
    expect({ count: values.length, more }).toEqual({ count: 100, more: true })
  })

  test('stays within what the key may hear', async () => {
    const narrow = caller({ allowed_agents: ['Ana'] })
    expect(await complete(target, 'session_id', '', narrow)).toEqual({ values: ['a-2', 'a-1'], more: false })
  })
})

test('a project is completed to the own one, whatever else there is', async () => {
  expect(await complete(projectSignals, 'project_id', '')).toEqual({ values: ['p'], more: false })
  expect(await complete(projectSignals, 'project_id', 'o')).toEqual({ values: [], more: false })
})

test('a period is completed to common ones', async () => {
  expect(await complete(weeklyReview, 'period', 'Week')).toEqual({ values: ['last week', 'this week'], more: false })
})

test.each([
  ['a variable without completion', 'constructor', ''],
  ['far too long a beginning', 'session_id', 'a'.repeat(100_000)],
  ['what no id holds', 'session_id', '\ud800'],
])('%s gets no values', async (_case, name, value) => {
  expect(await complete(explainCall, name, value)).toEqual({ values: [], more: false })
})
