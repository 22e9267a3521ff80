import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallRecord, callRecord } from '../../src/calls/call-record.js'
import { applyEvaluation } from '../../src/evaluation/apply-evaluation.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { generateCalls, type GenerateReport } from '../../src/demo/generate-calls.js'
import { compareCalls } from '../../src/questions/compare-calls.js'
import { detectChanges } from '../../src/questions/detect-changes.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { type Asking, asking } from '../support/asking.js'

// What the demo shows: calls nobody has evaluated, and what the rules make of their transcripts. The tests ask on
// 2026-03-15, a Sunday.
const options = { calls: 3_000, seed: 1, end: new Date('2026-03-15T00:00:00Z') }
const read = (lines: Iterable<string>) => [...lines].map(line => callRecord.parse(JSON.parse(line)))

let calls: readonly CallRecord[]
/** What each of the calls was written to say. */
let meant: ReadonlyMap<string, CallRecord>
let report: GenerateReport
let service: Asking

beforeAll(async () => {
  const rules = new RulesEvaluator(defaultRubric)
  const generated = generateCalls({ ...options, unevaluated: true })
  calls = read(generated.lines).map(call => {
    const { fields } = rules.evaluate(call, new Date(call.created_dt))
    if (fields === undefined) throw new Error(`${call.session_id} has no evaluation`)
    return applyEvaluation(call, fields)
  })
  report = generated.report()
  meant = new Map(read(generateCalls(options).lines).map(call => [call.session_id, call]))
  service = await asking()
  await service.import('p', calls)
})
afterAll(() => service.close())

const planted = (kind: string) => report.planted.find(fact => fact.kind === kind)!
const agentsWho = (manner: string) => report.manners.filter(one => one.manner === manner).map(({ agent }) => agent)

describe('the rules hear in the transcripts what was put there', () => {
  it('signal by signal, with precision and recall of 0.9 and more', () => {
    const counts = new Map<string, { hit: number; extra: number; missed: number }>()
    for (const { session_id: id, signals = [] } of calls) {
      const found = new Map(signals.map(({ key, state }) => [key, state]))
      for (const { key, state } of meant.get(id)?.signals ?? []) {
        const count = counts.get(key) ?? { hit: 0, extra: 0, missed: 0 }
        counts.set(key, count)
        const heard = found.get(key) === 'present'
        if (state === 'present' && heard) count.hit += 1
        else if (heard) count.extra += 1
        else if (state === 'present') count.missed += 1
      }
    }
    for (const [key, { hit, extra, missed }] of counts) {
      if (hit + missed === 0) continue
      expect.soft(hit / (hit + extra), `precision of ${key}`).toBeGreaterThanOrEqual(0.9)
      expect.soft(hit / (hit + missed), `recall of ${key}`).toBeGreaterThanOrEqual(0.9)
    }
  })

  it('the reasons for the calls', () => {
    const right = calls.filter(call => call.interaction_driver === meant.get(call.session_id)?.interaction_driver)
    expect(right.length / calls.length).toBeGreaterThanOrEqual(0.95)
  })
})

describe('what was planted is found in what the rules found', () => {
  it('a driver that rose, an agent who declined, a signal that vanished', async () => {
    const { changes } = await service.ask(detectChanges, { period: 'last 2 weeks', baseline: 'last 8 weeks' })
    const of = (kind: string) => changes.find(({ key }) => key === planted(kind).key)
    expect(of('driver_rose')).toMatchObject({ category: 'driver', direction: 'up', significance: 'high' })
    expect(of('agent_declined')).toMatchObject({ category: 'agent', direction: 'down', significance: 'high' })
    expect(of('signal_vanished')).toMatchObject({ category: 'signal', direction: 'gone', value: 0 })
  })

  it('the agent who declined is one entry, which names her, where the baseline is the one that is taken by itself', async () => {
    const { changes } = await service.ask(detectChanges, { period: 'last 2 weeks' })
    const { key } = planted('agent_declined')
    const hers = changes.filter(one => one.key === key || one.carried_by === key)
    expect(hers).toMatchObject([{ category: 'agent', key, direction: 'down' }])
    // A fall of the team's scores that is only hers is no entry by itself.
    expect(changes.filter(({ category, direction }) => category === 'score' && direction === 'down')).toEqual([])
  })

  it('agents differ by their manner: the attentive ahead of the brisk, beyond chance', async () => {
    const { agents } = await service.ask(getAgentPerformance, { limit: 12 })
    const intervalOf = (name: string) =>
      agents.find(one => one.agent_name === name)?.score_interval_95 ?? [Number.NaN, Number.NaN]
    const declined = planted('agent_declined').key
    for (const good of agentsWho('attentive').filter(name => name !== declined)) {
      for (const bad of agentsWho('brisk')) expect(intervalOf(good)[0]! > intervalOf(bad)[1]!).toBe(true)
    }
  })

  it('for reasons that can be read: what they say, and do not say', () => {
    const share = (agents: readonly string[], key: string) => {
      const theirs = calls.filter(call => agents.includes(call.agent_name))
      const states = theirs.flatMap(call => call.signals?.find(signal => signal.key === key)?.state ?? [])
      return states.filter(state => state === 'present').length / states.length
    }
    expect(share(agentsWho('attentive'), 'sig.details_read_back')).toBeGreaterThan(0.8)
    expect(share(agentsWho('warm'), 'sig.details_read_back')).toBeLessThan(0.35)
    expect(share(agentsWho('warm'), 'sig.repeat_requested')).toBeGreaterThan(0.35)
    expect(share(agentsWho('brisk'), 'sig.agent_interrupts')).toBeGreaterThan(0.3)
    expect(share(agentsWho('brisk'), 'sig.empathy_shown')).toBeLessThan(0.25)
    expect(share(agentsWho('formal'), 'sig.willingness_shown')).toBeLessThan(0.35)
    expect(share(agentsWho('quiet'), 'sig.dead_air')).toBeGreaterThan(0.35)
    const after = calls.filter(
      call => call.agent_name === planted('agent_declined').key && call.created_dt >= planted('agent_declined').from,
    )
    const rude = after.filter(call =>
      call.signals?.some(({ key, state }) => key === 'sig.agent_rude' && state === 'present'),
    )
    expect(rude.length).toBeGreaterThan(2)
  })

  it('two calls of such agents compare as a reader would', async () => {
    const one = (agent: string | undefined) => {
      const theirs = calls.filter(call => call.agent_name === agent && call.channel === 'phone')
      return theirs.toSorted((a, b) => (a.score ?? 0) - (b.score ?? 0))
    }
    const best = one(agentsWho('attentive').find(name => name !== planted('agent_declined').key)).at(-1)!
    const worst = one(agentsWho('brisk')[0])[0]!
    const answer = await service.ask(compareCalls, { session_id_a: best.session_id, session_id_b: worst.session_id })
    expect(JSON.stringify(answer)).toContain('sig.further_help_offered')
    expect(best.score! - worst.score!).toBeGreaterThan(1.5)
  })
})
