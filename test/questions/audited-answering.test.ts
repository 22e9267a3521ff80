import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../src/access/caller.js'
import { Problem } from '../../src/base/problem.js'
import type { Answering } from '../../src/questions/answering.js'
import { auditedAnswering } from '../../src/questions/audited-answering.js'
import { coachAgent } from '../../src/questions/prompts/coach-agent.js'
import { question } from '../../src/questions/question.js'
import { callTranscript } from '../../src/questions/resources/call-transcript.js'
import { aTrail, linesIn } from '../support/activity.js'
import { tempDir } from '../support/temp-dir.js'

const caller: Caller = {
  project_id: 'p',
  source: 'application_key',
  app_name: 'Claude of Ann',
  credential_id: 'key_ann',
  access_scope: {
    is_supervisor: false,
    roles: ['Supervisor'],
    allowed_agents: ['Ann'],
    require_mapping: true,
    text: 'full',
  },
}

const compareCalls = question({
  name: 'compare_calls',
  title: 'Compare calls',
  description: 'For the test',
  input: z.unknown(),
  output: z.unknown(),
  answer: () => Promise.resolve({}),
})

test('an answer that its caller may not be told any more is on record as refused', async () => {
  const dataDir = tempDir()
  const trail = await aTrail(dataDir)
  const one = async () => ({ count: 1 })
  const answering = auditedAnswering(
    { answer: one, read: one, write: async () => '', complete: async () => ({ values: ['Ann'], more: false }) },
    trail,
    'mcp',
  )
  const refusal = new Problem('forbidden', 'What the key may hear was changed while this was answered: ask again')
  const context = {
    requestId: 'r-1',
    check: () => {
      throw refusal
    },
  }
  for (const asked of [
    answering.answer(compareCalls, caller, {}, context),
    answering.read(callTranscript, caller, {}, context),
    answering.write(coachAgent, caller, {}, context),
    answering.complete(callTranscript, caller, { name: 'session_id', value: '' }, context),
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- a line after the other
    await expect(asked).rejects.toBe(refusal)
  }
  const lines = await linesIn(dataDir)
  expect(lines).toHaveLength(4)
  for (const line of lines) expect(line).toMatchObject({ outcome: 'refused', code: 'forbidden', status: 403 })
})

const unasked = () => Promise.reject(new Error('not asked in this test'))

/** What one answer leaves in the trail. */
async function recordOf(args: unknown, answer: () => Promise<object>, page?: string): Promise<Record<string, unknown>> {
  const dataDir = tempDir()
  const trail = await aTrail(dataDir)
  const answering = auditedAnswering(
    { answer, read: unasked, write: unasked, complete: unasked },
    trail,
    page === undefined ? 'mcp' : 'rest',
  )
  const context = { requestId: 'r-1', ...(page === undefined ? {} : { page }) }
  await answering.answer(compareCalls, caller, args, context).catch(() => undefined)
  const lines = await linesIn(dataDir)
  expect(lines).toHaveLength(1)
  return { ...lines[0] }
}

describe('an answer to a question', () => {
  test('is on record with who asked what, and as whom', async () => {
    const record = await recordOf({}, async () => ({ calls: [], count: 7 }))
    expect(record).toMatchObject({
      seq: 1,
      request_id: 'r-1',
      source: 'application_key',
      credential_id: 'key_ann',
      name: 'Claude of Ann',
      project_id: 'p',
      roles: ['Supervisor'],
      transport: 'mcp',
      page: 'compare_calls',
      outcome: 'ok',
      status: 200,
      rows: 7,
    })
  })

  test('goes under its route over REST', async () => {
    const record = await recordOf({}, async () => ({}), 'GET /api/v1/interactions/{interaction_id}')
    expect(record).toMatchObject({ transport: 'rest', page: 'GET /api/v1/interactions/{interaction_id}' })
  })

  test('leaves hashes of the calls asked about and nothing else of the arguments', async () => {
    const record = await recordOf(
      { session_id_a: 'call-1', session_id_b: 'call-2', text: 'cancel', session_id: 5, agent_name: 'Ann' },
      () => Promise.reject(new Problem('not_found', 'Call not found: call-1')),
    )
    expect(record).toMatchObject({ outcome: 'refused', code: 'not_found', status: 404 })
    expect(record['session_hashes']).toHaveLength(2)
    expect(JSON.stringify(record)).not.toMatch(/call-1|call-2|cancel/)
  })

  test.each([[undefined], [null], ['text'], [[]], [JSON.parse('{"__proto__": {"session_id": "x"}}')]])(
    'is on record whatever the arguments are: %j',
    async args => {
      expect(await recordOf(args, async () => ({}))).not.toHaveProperty('session_hashes')
    },
  )
})

describe('what else callers ask', () => {
  const said = { answer: unasked, read: unasked, write: unasked, complete: unasked }

  async function lineOf(act: (answering: Answering) => Promise<unknown>, answers: Partial<Answering>) {
    const dataDir = tempDir()
    const answering = auditedAnswering({ ...said, ...answers }, await aTrail(dataDir), 'mcp')
    await act(answering).catch(() => undefined)
    const lines = await linesIn(dataDir)
    expect(lines).toHaveLength(1)
    return lines[0]
  }
  const context = { requestId: 'r-1' }

  test('a resource is on record by its template, with a hash of the call asked about', async () => {
    const line = await lineOf(answering => answering.read(callTranscript, caller, { session_id: 'call-1' }, context), {
      read: () => Promise.reject(new Problem('not_found', 'Call not found: call-1')),
    })
    expect(line).toMatchObject({ page: 'earshot://call/{session_id}/transcript', outcome: 'refused', status: 404 })
    expect(line).toHaveProperty('session_hashes.length', 1)
    expect(JSON.stringify(line)).not.toContain('call-1')
  })

  test('a prompt is on record by its name, without its arguments', async () => {
    const line = await lineOf(answering => answering.write(coachAgent, caller, { agent_name: 'Zoe' }, context), {
      write: () => Promise.resolve('text'),
    })
    expect(line).toMatchObject({ page: 'coach_agent', outcome: 'ok', status: 200 })
    expect(JSON.stringify(line)).not.toContain('Zoe')
  })

  test('a completion is on record with the number of values given away, never with what was typed', async () => {
    const typed = { name: 'agent_name', value: 'Zo' }
    const line = await lineOf(answering => answering.complete(coachAgent, caller, typed, context), {
      complete: () => Promise.resolve({ values: ['Zoe', 'Zora'], more: false }),
    })
    expect(line).toMatchObject({ page: 'completion/complete', outcome: 'ok', rows: 2 })
    expect(JSON.stringify(line)).not.toContain('Zo')
  })
})
