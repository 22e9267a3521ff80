import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../src/access/caller.js'
import { builtInCatalogs } from '../../src/evaluation/rubric/rubric-catalogs.js'
import { getCallDetail } from '../../src/questions/get-call-detail.js'
import type { Resource } from '../../src/questions/resource.js'
import { callTranscript } from '../../src/questions/resources/call-transcript.js'
import { projectGuidance } from '../../src/questions/resources/project-guidance.js'
import { projectSignals } from '../../src/questions/resources/project-signals.js'
import { type Asking, asking, caller } from '../support/asking.js'

const created_dt = '2026-03-01T10:00:00Z'

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', [
    {
      session_id: 'of-ana',
      agent_name: 'Ana',
      created_dt,
      title: 'Card lost',
      transcript: [{ turn: 0, actor: 'agent', text: 'Hello' }],
    },
    { session_id: 'of-ben', agent_name: 'Ben', created_dt },
    {
      session_id: 'long',
      agent_name: 'Ben',
      created_dt,
      transcript: Array.from({ length: 300 }, (_, turn) => ({
        turn,
        actor: 'agent' as const,
        text: 'x'.repeat(5_000),
      })),
    },
  ])
  await service.import('other', [{ session_id: 'theirs', agent_name: 'Ana', created_dt }])
})
afterAll(() => service.close())

const read = <P, T>(resource: Resource<P, T>, params: object, who: Caller = caller()) =>
  service.answering.read(resource, who, params, { requestId: 'r' }) as Promise<T>

describe('the catalogs', () => {
  test('of the own project are given whole, also to a key that hears one agent', async () => {
    const signals = [...builtInCatalogs.signals.values()]
    const narrow = caller({ allowed_agents: ['Ana'] })
    expect(await read(projectSignals, { project_id: 'p' }, narrow)).toEqual({ signals, count: signals.length })
    const guidance = [...builtInCatalogs.guidance.values()]
    expect(await read(projectGuidance, { project_id: 'p' })).toEqual({ guidance, count: guidance.length })
  })

  test.each(['other', 'nowhere', '', 'P'])('of any other project (%j) are not found', async project_id => {
    await expect(read(projectSignals, { project_id })).rejects.toThrow(/^Resource not found$/)
    await expect(read(projectGuidance, { project_id })).rejects.toThrow(/^Resource not found$/)
  })
})

describe('a transcript', () => {
  test('comes with whose call it was', async () => {
    expect(await read(callTranscript, { session_id: 'of-ana' })).toEqual({
      session_id: 'of-ana',
      metadata: {
        session_id: 'of-ana',
        agent_id: 'ana',
        agent_name: 'Ana',
        title: 'Card lost',
        created_dt: '2026-03-01T10:00:00.000Z',
      },
      transcript: [{ turn: 0, actor: 'agent', text: 'Hello' }],
      transcript_total: 1,
    })
  })

  test('of a call without one is empty', async () => {
    expect(await read(callTranscript, { session_id: 'of-ben' })).toMatchObject({ transcript: [], transcript_total: 0 })
  })

  test('stops before 1 MiB and says where to go on', async () => {
    const answer = await read(callTranscript, { session_id: 'long' })
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(1_048_576)
    expect(answer.transcript.length).toBeGreaterThan(190)
    expect(answer).toMatchObject({ transcript_total: 300, transcript_next: answer.transcript.length })
  })

  test.each([
    ['unknown', 'nowhere', {}],
    ['of another project', 'theirs', {}],
    ['of an agent out of scope', 'of-ben', { allowed_agents: ['Ana'] }],
    ['of anyone, for a key that lost its mapping', 'of-ana', { require_mapping: true }],
  ])('%s is refused in the words of get_call_detail', async (_case, session_id, scope) => {
    const refusal = { code: 'not_found', message: `Call not found: ${session_id}` }
    await expect(read(callTranscript, { session_id }, caller(scope))).rejects.toMatchObject(refusal)
    await expect(service.ask(getCallDetail, { session_id }, caller(scope))).rejects.toMatchObject(refusal)
  })

  test('of an id that no call can have is refused by name', async () => {
    await expect(read(callTranscript, { session_id: 'a\u0000b' })).rejects.toThrow('"session_id" must not hold control')
  })
})
