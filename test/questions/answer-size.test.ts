import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { compareCalls } from '../../src/questions/compare-calls.js'
import { getCallDetail } from '../../src/questions/get-call-detail.js'
import { getProjectContext } from '../../src/questions/get-project-context.js'
import { questions } from '../../src/questions/questions.js'
import { type Asking, asking, NOW } from '../support/asking.js'

// A project as large as they come in what its answers list: 500 agents, 150 signals, 60 drivers, 40 readings. What a tool
// answers by default stays within what clients take (they cut at about 25,000 tokens), and says what it left out.

const MOST_BYTES = 60_000

const AGENTS = 500
const SIGNALS = 150
const DAY_MS = 86_400_000

const padded = (n: number) => String(n).padStart(3, '0')
const sentence = 'The customer said that the parcel had been promised for Tuesday and had still not arrived.'

const range = (count: number) => Array.from({ length: count }, (_, i) => i)

/** A call that shows every signal there is, every one with evidence, and its transcript. */
const whole = (index: number): CallRecord => ({
  ...told(index),
  transcript: range(1_000).map(turn => ({ turn, actor: turn % 2 === 0 ? 'agent' : 'customer', text: sentence })),
})

/** The same without its transcript. */
function told(index: number): CallRecord {
  return {
    session_id: `call-with-a-rather-long-identifier-${padded(index)}`,
    agent_id: `agent-${padded(index % AGENTS)}`,
    agent_name: `Alexandra Konstantinopoulou-${padded(index % AGENTS)}`,
    created_dt: new Date(NOW - (index % 56) * DAY_MS - 1_000).toISOString(),
    title: sentence,
    interaction_driver: `Question about delivery of order type ${padded(index % 60)}`,
    interaction_direction: 'inbound',
    language_primary: `l${index % 30}`,
    score: 1 + (index % 41) / 10,
    predicted_csat: 3,
    outcome_lift: { lift: 0.2, lift_band: 'positive' },
    coaching_summary: `${sentence} `.repeat(5),
    scores: range(8).map(i => ({ key: `quality_${i}`, display_name: `Quality ${i}`, value: 3, range: [1, 5] })),
    dimensions: range(40).map(i => ({ key: `reading_${i}`, value: index % 2 === 0 ? 'high' : 'low' })),
    signals: range(SIGNALS).map(i => ({
      key: `sig.some_signal_with_a_name_${padded(i)}`,
      state: 'present',
      strength: 0.5,
      confidence: 0.9,
      evidence: [{ turn: i, quote: sentence }],
    })),
    guidance: range(40).map(i => ({
      key: `guide.some_guidance_with_a_name_${padded(i)}`,
      kind: 'opportunity',
      priority: 'p1',
      text: sentence,
      evidence: [{ turn: i, quote: sentence }],
    })),
    evaluation: { evaluator: 'imported' },
  }
}

/** One of the many others: what lists are made of, without the text. */
function slim(index: number): CallRecord {
  const call = told(index)
  // The first four weeks are unlike the last four in everything.
  const late = index % 56 < 28
  return {
    ...call,
    score: late ? 2 : 4,
    signals: call.signals!.filter((__, i) => (i % 2 === 0) === late).map(({ evidence: ___, ...signal }) => signal),
    dimensions: call.dimensions!.map(({ key }) => ({ key, value: late ? 'high' : 'low' })),
    guidance: call.guidance!.slice(0, late ? 40 : 0).map(({ evidence: ___, ...entry }) => entry),
  }
}

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', [whole(0), whole(1)])
  const others = Array.from({ length: 3_000 }, (_, i) => slim(i + 2))
  for (let at = 0; at < others.length; at += 500) await service.import('p', others.slice(at, at + 500))
})
afterAll(() => service.close())

const [a, b] = [whole(0).session_id, whole(1).session_id]
const ARGUMENTS: Readonly<Record<string, object>> = {
  get_call_detail: { session_id: a },
  compare_calls: { session_id_a: a, session_id_b: b },
  detect_changes: { period: 'last 28 days' },
  query_user_activity: { query_type: 'summary' },
  query_interactions: { pipeline: [{ $project: { agent_name: 1, title: 1, coaching_summary: 1 } }] },
}
const elsewhere = new Set(['query_knowledge_base'])

describe.each(questions.filter(({ name }) => !elsewhere.has(name)).map(one => [one.name, one] as const))(
  '%s',
  (name, question) => {
    test(`answers in ${MOST_BYTES} bytes by default`, async () => {
      const answer = await service.ask(question, ARGUMENTS[name])
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(MOST_BYTES)
    })
  },
)

test('a call too large says what was left out, and its transcript goes on where it was cut', async () => {
  const detail = await service.ask(getCallDetail, { session_id: a })
  expect(detail.left_out).toEqual(['evidence of signals and guidance'])
  expect(detail.signals).toHaveLength(SIGNALS)
  expect(detail.transcript_next).toBe(detail.transcript?.length)
  const next = await service.ask(getCallDetail, { session_id: a, transcript_from: detail.transcript_next })
  expect(next.transcript?.[0]?.turn).toBe(detail.transcript_next)
})

test('two calls too large are cut, but compared whole', async () => {
  const { call_a: first, differences } = await service.ask(compareCalls, { session_id_a: a, session_id_b: b })
  expect(first.left_out).toContain('signals: 75 of 150 given')
  expect(differences.signals_in_both).toHaveLength(SIGNALS)
})

test('an orientation that cut lists says which tool gives the rest', async () => {
  const { more } = await service.ask(getProjectContext)
  expect(more).toEqual([
    'agents: 100 of 500; get_agent_performance with sort calls_desc and min_calls 1 lists all, page by page',
    'drivers: 30 of 60; get_project_summary with top 60 lists all',
    'languages: 20 of 30; query_interactions with limit 1000 and the pipeline [{"$sortByCount":"$language_primary"}] counts them',
    'signals: 60 of 150; get_project_summary with top 150 lists all',
  ])
})

test.each([
  ['get_project_summary', 'signals_total', SIGNALS],
  ['get_agent_performance', 'total', AGENTS],
  ['search_calls', 'total', 3_002],
  ['detect_changes', 'total', expect.any(Number)],
])('%s says what it left out', async (name, field, said) => {
  const question = questions.find(one => one.name === name)!
  const answer = (await service.ask(question, ARGUMENTS[name])) as Record<string, unknown>
  const value = answer[field]
  expect(Array.isArray(value) ? value[0] : value).toEqual(said)
})
