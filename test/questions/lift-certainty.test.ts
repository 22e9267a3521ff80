import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAgent } from '../../src/questions/get-agent.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getCallDetail } from '../../src/questions/get-call-detail.js'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { refitLift } from '../../src/evaluation/lift/refit-lift.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import type { LiftStore } from '../../src/store/lift-store.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { simulate } from '../evaluation/lift/simulated-calls.js'

// How well an average lift is known, and what calls with an agent move beyond what signals show.

const WORLD = {
  seed: 3,
  calls: 900,
  drivers: { 'reset password': 0.3, complaint: -0.3 },
  effects: { 'sig.empathy_shown': 1, 'sig.details_read_back': 0.5, 'sig.dead_air': -1, 'sig.greeting_given': 0 },
  agents: { Warm: 0.8, Cold: 0.2, Even: 0.5, Skilled: 0.5 },
  skills: { Skilled: 1.6 },
}
const simulated = simulate(WORLD).map(one => ({
  ...one,
  record: { ...one.record, session_metadata: { resolved: one.positive } },
}))

let service: Asking
const refit = async (outcome?: string, store: LiftStore = service.store.calls) =>
  await refitLift({
    store: { calls: store, turns: service.store.turns },
    projectId: 'p',
    rubric: defaultRubric,
    outcome,
  })

beforeAll(async () => {
  service = await asking()
  await service.import(
    'p',
    simulated.map(({ record }) => record),
  )
  await refit()
})
afterAll(() => service.close())

const agentsOf = async (args = {}, who = caller()) => await service.ask(getAgentPerformance, args, who)

describe('the interval of an average lift', () => {
  test('holds what is not known of the effects: a thousand calls more of one agent do not end it', async () => {
    const { agents, lift_note: note } = await agentsOf()
    expect(note).toBeUndefined()
    for (const { average_lift: lift, lift_interval_95: interval, lift_calls: calls } of agents) {
      const [low, high] = interval!
      expect(low!).toBeLessThan(lift!)
      expect(high!).toBeGreaterThan(lift!)
      // Lifts lie some 0.15 apart: by their spread alone 225 calls would tell their mean to ±0.02.
      expect(calls).toBeGreaterThan(180)
    }
    const of = (name: string) => agents.find(one => one.agent_name === name)!
    expect(of('Warm').lift_interval_95![0]!).toBeGreaterThan(0)
    expect(of('Cold').lift_interval_95![1]!).toBeLessThan(0)
    const width = ([low, high]: readonly number[]) => high! - low!
    // Who shows signals as often as all has a lift that hangs on no effect.
    expect(width(of('Warm').lift_interval_95!)).toBeGreaterThan(1.3 * width(of('Even').lift_interval_95!))
    const one = await service.ask(getAgent, { agent_id: 'Warm' })
    expect(one.lift_interval_95).toEqual(of('Warm').lift_interval_95)
    const summary = await service.ask(getProjectSummary)
    expect(summary.lift_interval_95).toHaveLength(2)
  })

  test('is left out, and it is said why, where lifts came with calls', async () => {
    const [first] = simulated
    await service.import('p', [
      {
        ...first!.record,
        session_id: 'theirs',
        agent_name: 'Guest',
        evaluation: { evaluator: 'imported' },
        outcome_lift: { lift: 0.2, p_behavioral: 0.7, p_context: 0.5 },
      },
    ])
    const { agents, scope_average: all, lift_note: note } = await agentsOf({ min_calls: 1 })
    const guest = agents.find(one => one.agent_name === 'Guest')!
    expect(guest.average_lift).toBe(0.2)
    for (const one of [guest, all]) expect(one).not.toHaveProperty('lift_interval_95')
    expect(note).toContain('came with the calls')
    expect(agents.find(one => one.agent_name === 'Warm')).toHaveProperty('lift_interval_95')
    await service.store.calls.eraseAll('p', ['theirs'])
  })
})

describe('what calls with an agent move beyond what signals show', () => {
  test('is skill that no signal shows, not what lift tells already', async () => {
    const { agents } = await agentsOf()
    const of = (name: string) => agents.find(one => one.agent_name === name)!
    expect(of('Skilled').agent_effect!).toBeGreaterThan(0.1)
    expect(of('Skilled').agent_effect_interval_95![0]!).toBeGreaterThan(0)
    expect(Math.abs(of('Skilled').average_lift!)).toBeLessThan(0.05)
    // In a list only of who can be told from an agent of average doing.
    expect(of('Cold')).not.toHaveProperty('agent_effect')
    for (const name of ['Warm', 'Cold', 'Even']) {
      const { agent_effect: effect, agent_effect_interval_95: interval } = await service.ask(getAgent, {
        agent_id: name,
      })
      expect(interval![0]!).toBeLessThanOrEqual(effect!)
      expect(interval![1]!).toBeGreaterThanOrEqual(effect!)
      expect(effect!).toBeLessThan(0.1)
    }
    const one = await service.ask(getAgent, { agent_id: 'Skilled' })
    expect(one.agent_effect).toBe(of('Skilled').agent_effect)
  })

  test('a key that hears some agents is told nothing that others are part of', async () => {
    const heard = caller({ allowed_agents: ['Skilled', 'Warm'] })
    const { agents, lift_note: note, scope_average: all } = await agentsOf({}, heard)
    const one = await service.ask(getAgent, { agent_id: 'Skilled' }, heard)
    const summary = await service.ask(getProjectSummary, {}, heard)
    for (const found of [...agents, all, one, summary]) {
      expect(Object.keys(found).filter(key => /agent_effect|lift_interval/u.test(key))).toEqual([])
    }
    for (const said of [note, one.lift_note, summary.lift_note])
      expect(said).toContain('only a key that hears them all')
    expect(agents).toHaveLength(2)
    expect((await agentsOf({ sort: 'lift_desc' }, heard)).agents[0]).not.toHaveProperty('rank_interval_95')
  })
})

test('what lifts explain is what the fit explained that made them, when the next one was cut off too', async () => {
  const said = async () => {
    const [performance, summary, found, detail] = await Promise.all([
      agentsOf(),
      service.ask(getProjectSummary),
      service.ask(searchCalls, { limit: 1 }),
      service.ask(getCallDetail, { session_id: 's0' }),
    ])
    const all = [performance, summary, found, detail].map(one => one.lift_outcome)
    expect(new Set(all).size).toBe(1)
    return { outcome: all[0], note: performance.lift_note, agents: performance.agents }
  }
  expect((await said()).outcome).toBe('predicted_csat')
  const cutOff: LiftStore = {
    countLiftCalls: (...asked) => service.store.calls.countLiftCalls(...asked),
    alikeCalls: (...asked) => service.store.calls.alikeCalls(...asked),
    liftPages: (...asked) => service.store.calls.liftPages(...asked),
    liftFits: (...asked) => service.store.calls.liftFits(...asked),
    writeLiftFit: (...asked) => service.store.calls.writeLiftFit(...asked),
    writeLifts: () => Promise.reject(new Error('cut off')),
  }
  await expect(refit('metadata.resolved', cutOff)).rejects.toThrow('cut off')
  const between = await said()
  expect(between.outcome).toBe('metadata.resolved; of calls that were not fitted since: predicted_csat')
  expect(between.note).toContain('not fitted to the end')
  for (const one of between.agents) {
    expect(one).not.toHaveProperty('lift_interval_95')
    expect(one).not.toHaveProperty('agent_effect')
  }
  await refit('metadata.resolved')
  const after = await said()
  expect(after).toMatchObject({ outcome: 'metadata.resolved', note: undefined })
  expect(after.agents[0]).toHaveProperty('lift_interval_95')
  await refit()
})
