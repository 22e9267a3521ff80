import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareCalls } from '../../src/questions/compare-calls.js'
import { type Asking, asking, caller } from '../support/asking.js'

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', [
    {
      session_id: 'a',
      agent_name: 'Ana',
      created_dt: '2026-03-01T10:00:00Z',
      score: 4.5,
      predicted_csat: 4,
      signals: [
        { key: 'sig.one', state: 'present' },
        { key: 'sig.two', state: 'present' },
        { key: 'sig.three', state: 'unclear' },
      ],
      guidance: [{ key: 'guide.x', kind: 'excellence' }],
      dimensions: [
        { key: 'clarity', value: 'high' },
        { key: 'tone', value: 'warm' },
      ],
      transcript: [{ turn: 0, actor: 'agent', text: 'Hello' }],
    },
    {
      session_id: 'b',
      agent_name: 'Ben',
      created_dt: '2026-03-01T11:00:00Z',
      score: 3,
      signals: [
        { key: 'sig.two', state: 'present' },
        { key: 'sig.three', state: 'present' },
        { key: 'sig.one', state: 'absent' },
      ],
      dimensions: [
        { key: 'clarity', value: 'low' },
        { key: 'tone', value: 'warm' },
        { key: 'pace', value: 'slow' },
      ],
    },
  ])
})
afterAll(() => service.close())

test('says what only one of two calls has, and how far they are apart', async () => {
  const { call_a, call_b, differences } = await service.ask(compareCalls, { session_id_a: 'a', session_id_b: 'b' })
  expect([call_a.metadata.session_id, call_b.metadata.session_id]).toEqual(['a', 'b'])
  expect(differences).toEqual({
    signals_only_in_a: ['sig.one'],
    signals_only_in_b: ['sig.three'],
    signals_in_both: ['sig.two'],
    guidance_only_in_a: ['guide.x'],
    guidance_only_in_b: [],
    guidance_in_both: [],
    dimensions_diff: [
      { key: 'clarity', value_a: 'high', value_b: 'low' },
      { key: 'pace', value_b: 'slow' },
    ],
    score_delta: { score: -1.5 },
  })
  expect(call_a.transcript).toBeUndefined()
})

test('a call beside itself has no differences', async () => {
  const { differences } = await service.ask(compareCalls, { session_id_a: 'a', session_id_b: 'a' })
  expect(differences).toMatchObject({
    signals_only_in_a: [],
    signals_only_in_b: [],
    dimensions_diff: [],
    score_delta: { score: 0 },
  })
})

test('gives transcripts on request', async () => {
  const { call_a } = await service.ask(compareCalls, { session_id_a: 'a', session_id_b: 'b', include_transcript: true })
  expect(call_a.transcript).toEqual([{ turn: 0, actor: 'agent', text: 'Hello' }])
})

test.each([
  ['a', 'nowhere', 'nowhere', caller()],
  ['nowhere', 'elsewhere', 'nowhere', caller()],
  ['a', 'b', 'b', caller({ allowed_agents: ['Ana'] })],
  ['b', 'nowhere', 'b', caller({ allowed_agents: ['Ana'] })],
])('%s and %s: the first that is not there or not in scope is the one named', async (a, b, named, who) => {
  const asked = service.ask(compareCalls, { session_id_a: a, session_id_b: b }, who)
  await expect(asked).rejects.toThrow(`Call not found: ${named}`)
})
