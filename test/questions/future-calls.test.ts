import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { detectChanges } from '../../src/questions/detect-changes.js'
import { getAgent } from '../../src/questions/get-agent.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getCallDetail } from '../../src/questions/get-call-detail.js'
import { getProjectContext } from '../../src/questions/get-project-context.js'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { getScoreDistribution } from '../../src/questions/get-score-distribution.js'
import { getSignals } from '../../src/questions/get-signals.js'
import { listAgents } from '../../src/questions/list-agents.js'
import { listInteractions } from '../../src/questions/list-interactions.js'
import { queryInteractions } from '../../src/questions/query-interactions.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { type Asking, asking, caller } from '../support/asking.js'

/** Questions are asked at 2026-03-15T12:00:00Z. */
const call = (id: string, created_dt: string, more: Partial<CallRecord> = {}): CallRecord => ({
  session_id: id,
  agent_name: 'Ana',
  created_dt,
  score: 4,
  interaction_driver: 'billing',
  signals: [{ key: 'sig.a', state: 'present' }],
  evaluation: { evaluator: 'imported' },
  ...more,
})
const past = [
  call('p1', '2026-03-01T10:00:00.000Z'),
  call('p2', '2026-03-08T10:00:00.000Z', { agent_name: 'Ben', score: 2 }),
  call('now', '2026-03-15T11:59:59.999Z'),
]
const future = [
  call('f1', '2026-03-15T12:00:00.000Z', { score: 1, interaction_driver: 'later', signals: [] }),
  call('f2', '2026-03-15T20:00:00.000Z', { agent_name: 'Cyd', signals: [{ key: 'sig.later', state: 'present' }] }),
  call('f3', '2027-01-01T00:00:00.000Z', { agent_name: 'Ben' }),
]

let plain: Asking
let ahead: Asking
beforeAll(async () => {
  ;[plain, ahead] = [await asking(), await asking()]
  await plain.import('p', past)
  await ahead.import('p', [...past, ...future])
})
afterAll(async () => {
  await plain.close()
  await ahead.close()
})

const count = [{ $count: 'calls' }]
const counted = async (pipeline: object[], who = caller()) => {
  const { documents, warnings } = await ahead.ask(queryInteractions, { pipeline }, who)
  return { calls: (documents?.[0]?.['calls'] ?? 0) as number, warnings }
}

describe('calls that are dated after now', () => {
  it.each([
    ['search_calls', searchCalls, {}],
    ['search_calls from a day', searchCalls, { date_from: '2026-03-02' }],
    ['search_calls by driver', searchCalls, { driver: 'billing' }],
    ['get_project_summary', getProjectSummary, {}],
    ['get_agent_performance', getAgentPerformance, { min_calls: 1, include_signals: true }],
    ['list_agents', listAgents, {}],
    ['get_agent', getAgent, { agent_id: 'ben', include_signals: true }],
    ['list_interactions', listInteractions, {}],
    ['get_score_distribution', getScoreDistribution, {}],
    ['get_signals', getSignals, { active_only: false }],
    ['detect_changes', detectChanges, { period: 'this month', min_occurrences: 1 }],
  ] as const)('count in no answer that ends now: %s', async (_name, question, args) => {
    const asked = question as typeof searchCalls
    expect(await ahead.ask(asked, args)).toEqual(await plain.ask(asked, args))
  })

  it('count in context no more than as future_calls, within the scope', async () => {
    const without = await plain.ask(getProjectContext)
    expect(without.volume).not.toHaveProperty('future_calls')
    const context = await ahead.ask(getProjectContext)
    expect(context).toEqual({ ...without, volume: { ...without.volume, future_calls: 3 } })
    const ben = await ahead.ask(getProjectContext, {}, caller({ allowed_agents: ['Ben'] }))
    expect(ben.volume).toMatchObject({ calls: 1, future_calls: 1 })
    const none = await ahead.ask(getProjectContext, {}, caller({ allowed_agents: [], require_mapping: true }))
    expect(none.volume).not.toHaveProperty('future_calls')
  })

  it('count where a window ends after now', async () => {
    expect(await ahead.ask(searchCalls, { date_to: '2026-03-15' })).toMatchObject({ total: 5 })
    expect(await ahead.ask(searchCalls, { date_to: '2027-12-31' })).toMatchObject({ total: 6 })
    expect(await ahead.ask(getProjectSummary, { date_from: '2026-03-16', date_to: '2027-12-31' })).toMatchObject({
      calls: 1,
      window: { from: '2026-03-16T00:00:00.000Z' },
    })
    expect(await ahead.ask(searchCalls, { date_from: '2026-03-16' })).toMatchObject({ total: 0 })
    const cyd = { agent_id: 'cyd', end_date: '2026-03-16' }
    expect(await ahead.ask(getAgent, cyd)).toMatchObject({ calls: 1, trend: [{ calls: 1 }] })
    expect(await ahead.ask(detectChanges, { period: '2026-03' })).toMatchObject({ window: { calls: 5 } })
  })

  it('can be read by their ids', async () => {
    expect(await ahead.ask(getCallDetail, { session_id: 'f3' })).toMatchObject({ metadata: { session_id: 'f3' } })
    expect((await counted([{ $match: { session_id: 'f3' } }, ...count])).calls).toBe(1)
  })
})

describe('a pipeline', () => {
  it('hears of calls that have begun, and says how many are left out, within the scope', async () => {
    const { calls, warnings } = await counted(count)
    expect(calls).toBe(3)
    expect(warnings).toEqual([
      '3 calls are dated after now and were left out; a $match at the beginning that compares created_dt with a later instant takes such calls in',
    ])
    expect(await counted(count, caller({ allowed_agents: ['Ana'] }))).toMatchObject({
      calls: 2,
      warnings: [expect.stringContaining('1 call is dated after now and was left out')],
    })
    expect((await counted(count, caller({ allowed_agents: ['Nobody'] }))).warnings).toEqual([])
    expect((await plain.ask(queryInteractions, { pipeline: count })).warnings).toEqual([])
  })

  it.each<readonly [string, object[], number]>([
    ['from then on', [{ $match: { created_dt: { $gte: '2026-03-15T12:00:00.000Z', $lt: '2026-03-16' } } }], 2],
    ['up to then', [{ $match: { created_dt: { $lt: '2026-03-16' } } }], 5],
    ['in another form', [{ $match: { created_dt: { $lt: { $date: '2028-01-01T00:00:00Z' } } } }], 6],
    ['in $and and $or', [{ $match: { $or: [{ score: 2 }, { $and: [{ created_dt: { $gte: '2026-12-31' } }] }] } }], 2],
    ['not with', [{ $match: { created_dt: { $not: { $gt: { $date: '2026-03-16' } } } } }], 5],
    ['in the second $match', [{ $match: { score: 4 } }, { $match: { created_dt: { $lt: '2099-01-01' } } }], 4],
  ])('that asks for them hears of them: %s', async (_how, filter, calls) => {
    expect(await counted([...filter, ...count])).toMatchObject({ calls, warnings: [] })
  })

  it.each<readonly [string, object[], number]>([
    ['a bound before now', [{ $match: { created_dt: { $gte: '2026-03-02' } } }], 2],
    ['now itself', [{ $match: { created_dt: { $gte: '2026-03-15T12:00:00.000Z' } } }], 0],
    ['an expression', [{ $match: { $expr: { $gt: ['$created_dt', '$$NOW'] } } }], 0],
    ['a filter after another stage', [{ $addFields: { x: 1 } }, { $match: { created_dt: { $lt: '2099-01-01' } } }], 3],
    ['another field', [{ $match: { 'evaluation.evaluated_at': { $not: { $gt: '2099-01-01' } } } }], 3],
  ])('that does not ask for them hears nothing of them: %s', async (_how, filter, calls) => {
    const found = await counted([...filter, ...count])
    expect(found.calls).toBe(calls)
    expect(found.warnings.join()).toContain('3 calls are dated after now')
  })

  it('is explained with the restriction it runs with', async () => {
    const { pipeline } = await ahead.ask(queryInteractions, { pipeline: count, explain: true })
    expect(pipeline).toEqual([
      { $match: { created_dt: { $lt: { $date: '2026-03-15T12:00:00.000Z' } } } },
      { $count: 'calls' },
    ])
  })
})
