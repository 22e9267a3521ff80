import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { CallRecord } from '../../src/calls/call-record.js'
import { getCallDetail } from '../../src/questions/get-call-detail.js'
import { type Asking, asking, caller } from '../support/asking.js'

const whole: CallRecord = {
  session_id: 'a/b%2F?é',
  agent_id: 'ana-1',
  agent_name: 'Ana',
  created_dt: '2026-03-01T10:00:00Z',
  title: 'Card lost',
  interaction_driver: 'replace card',
  interaction_direction: 'inbound',
  language_primary: 'en-US',
  session_metadata: { company_name: 'Harbour Bank', location: 'Kiel', customer_display_name: 'Kim Lee', till: 3 },
  score: 4.5,
  predicted_csat: 4,
  outcome_lift: { lift: 0.2, lift_band: 'positive', p_behavioral: 0.7, p_context: 0.5 },
  scores: [{ key: 'opening', display_name: 'Opening', value: 5, range: [1, 5] }],
  dimensions: [{ key: 'intent_clarity', value: 'high' }],
  signals: [
    { key: 'sig.escalation', state: 'absent' },
    { key: 'sig.own', state: 'present', strength: 0.5, evidence: [{ turn: 0, quote: 'hello' }] },
  ],
  guidance: [{ key: 'guide.own', kind: 'excellence', priority: 'p2', text: 'Well greeted' }],
  coaching_summary: 'Good.',
  talk_patterns: { total_duration_s: 12.5, hold_count: 0 },
  trust: { level: 'high', score: 0.9, reasons: [] },
  conditions: [{ key: 'greeting', turn: 0, text: 'hello' }],
  transcript: Array.from({ length: 450 }, (_, turn) => ({
    turn,
    actor: turn % 2 === 0 ? ('agent' as const) : ('customer' as const),
    text: `Turn ${turn}`,
    start_s: turn,
    end_s: turn + 0.5,
  })),
  evaluation: { evaluator: 'imported', evaluated_at: '2026-03-02T00:00:00Z' },
}

type Page = z.output<typeof getCallDetail.output>

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', [
    whole,
    { session_id: 'bare', agent_name: 'Ben', created_dt: '2026-03-01T10:00:00Z' },
    {
      session_id: 'capped',
      agent_name: 'Ben',
      created_dt: '2026-03-01T10:00:00Z',
      score: 1,
      conditions: [
        { key: 'cap.rude', turn: 2, text: 'at most 1: the agent was rude' },
        { key: 'capped_by.rude', turn: 2, text: 'the agent was rude' },
        { key: 'capped_quote', turn: 2, text: 'Not my problem.' },
      ],
    },
    {
      session_id: 'long',
      agent_name: 'Ben',
      created_dt: '2026-03-01T10:00:00Z',
      transcript: [
        { turn: 0, actor: 'agent', text: '\u{1F600}'.repeat(40_000) },
        { turn: 1, actor: 'customer', text: 'x'.repeat(39_000) },
        { turn: 2, actor: 'customer', text: 'y'.repeat(2_000) },
      ],
    },
  ])
  await service.import('other', [{ session_id: 'theirs', agent_name: 'Ana', created_dt: '2026-03-01T10:00:00Z' }])
})
afterAll(() => service.close())

test('what capped the score is told with the turn and what was said there, conditions asked for or not', async () => {
  const detail = await service.ask(getCallDetail, { session_id: 'capped' })
  expect(detail.scores_headline).toEqual({
    score: 1,
    capped_by: { key: 'rude', reason: 'the agent was rude', turn: 2, quote: 'Not my problem.' },
  })
  expect(detail).not.toHaveProperty('conditions')
})

test('one call comes back whole', async () => {
  const detail = await service.ask(getCallDetail, {
    session_id: whole.session_id,
    include_conditions: true,
    transcript_turns: 2,
  })
  expect(detail).toEqual({
    metadata: {
      session_id: 'a/b%2F?é',
      agent_id: 'ana-1',
      agent_name: 'Ana',
      title: 'Card lost',
      created_dt: '2026-03-01T10:00:00.000Z',
      interaction_direction: 'inbound',
      interaction_driver: 'replace card',
      language: 'en-US',
      customer_display_name: 'Kim Lee',
      company_name: 'Harbour Bank',
      location: 'Kiel',
    },
    scores_headline: { score: 4.5, predicted_csat: 4 },
    talk_patterns: whole.talk_patterns,
    trust: whole.trust,
    scores: whole.scores,
    outcome_lift: whole.outcome_lift,
    dimensions: whole.dimensions,
    signals: [{ ...whole.signals?.[1], display_name: 'sig.own' }],
    signals_absent: ['sig.escalation'],
    guidance: [{ ...whole.guidance?.[0], display_name: 'guide.own' }],
    coaching_summary: 'Good.',
    evaluation: { evaluator: 'imported', evaluated_at: '2026-03-02T00:00:00.000Z' },
    transcript: whole.transcript?.slice(0, 2),
    transcript_total: 450,
    transcript_next: 2,
    conditions: whole.conditions,
  })
})

test('a call that nobody evaluated has no evaluation and nulls nowhere', async () => {
  const detail = await service.ask(getCallDetail, { session_id: 'bare' })
  expect(detail.evaluation).toBeUndefined()
  expect(JSON.stringify(detail)).not.toContain('null')
  expect(detail).toMatchObject({ signals: [], signals_absent: [], guidance: [], transcript: [], transcript_total: 0 })
})

describe('the transcript', () => {
  test('is paged, every turn once', async () => {
    const turns: number[] = []
    let from: number | undefined = 0
    while (from !== undefined) {
      const page: Page = await service.ask(getCallDetail, { session_id: whole.session_id, transcript_from: from })
      turns.push(...(page.transcript ?? []).map(turn => turn.turn))
      from = page.transcript_next
    }
    expect(turns).toEqual(Array.from({ length: 450 }, (_, turn) => turn))
  })

  test('is left out on request, its length told', async () => {
    const detail = await service.ask(getCallDetail, { session_id: whole.session_id, include_transcript: false })
    expect(detail.transcript).toBeUndefined()
    expect(detail.transcript_total).toBe(450)
  })

  test('stops at 40 kB, cuts a turn that is longer and goes on behind it', async () => {
    const first = await service.ask(getCallDetail, { session_id: 'long' })
    expect(first.transcript).toHaveLength(1)
    expect(first.transcript?.[0]).toMatchObject({ turn: 0, text_cut: true })
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(60_000)
    const second = await service.ask(getCallDetail, { session_id: 'long', transcript_from: first.transcript_next })
    expect(second.transcript?.map(turn => turn.turn)).toEqual([1])
    const third = await service.ask(getCallDetail, { session_id: 'long', transcript_from: second.transcript_next })
    expect(third.transcript?.map(turn => turn.turn)).toEqual([2])
    expect(third.transcript_next).toBeUndefined()
  })
})

describe('a call out of scope answers as one that does not exist', () => {
  test.each([
    ['unknown', caller()],
    ['theirs', caller()],
    ['bare', caller({ allowed_agents: ['Ana'] })],
    ['bare', caller({ require_mapping: true })],
  ])('%s', async (session, who) => {
    await expect(service.ask(getCallDetail, { session_id: session }, who)).rejects.toThrow(
      expect.objectContaining({ message: `Call not found: ${session}`, code: 'not_found' }) as Error,
    )
  })
})

test.each([
  [{}, /"session_id" is missing|"session_id"/],
  [{ session_id: 'x'.repeat(10_000_000) }, /"session_id".*200/],
  [{ session_id: 'a\u0000' }, /"session_id"/],
  [{ session_id: 'a\ud800' }, /"session_id"/],
  [{ session_id: 'bare', transcript_turns: 0 }, /"transcript_turns"/],
  [{ session: 'bare' }, /session_id/],
])('bad arguments %# are refused by name', async (args, sentence) => {
  await expect(service.ask(getCallDetail, args)).rejects.toThrow(sentence)
})

test('of a long transcript only the page leaves the store, wherever it is', async () => {
  const transcript = Array.from({ length: 20_000 }, (_, turn) => ({
    turn,
    actor: 'agent' as const,
    text: `Turn ${turn}`,
  }))
  await service.import('p', [
    { session_id: 'endless', agent_name: 'Ben', created_dt: '2026-03-01T10:00:00Z', transcript },
  ])
  const ask = (transcript_from: number) =>
    service.ask(getCallDetail, { session_id: 'endless', transcript_from, transcript_turns: 3 })
  const last = await ask(19_998)
  expect(last.transcript).toEqual(transcript.slice(19_998))
  expect(last).toMatchObject({ transcript_total: 20_000 })
  expect(last.transcript_next).toBeUndefined()
  expect(await ask(7)).toMatchObject({ transcript: transcript.slice(7, 10), transcript_next: 10 })
  expect(await ask(1_000_000)).toMatchObject({ transcript: [], transcript_total: 20_000 })
})
