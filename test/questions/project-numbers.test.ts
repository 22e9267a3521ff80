import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { prepareRecord } from '../../src/ingest/prepare-record.js'
import { getAgent } from '../../src/questions/get-agent.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { evaluatedCall } from '../support/call.js'

const MARCH_2 = { created_dt: '2026-03-02T10:00:00Z' }
const call = (id: string, fields: Partial<CallRecord>) => evaluatedCall(id, { ...MARCH_2, ...fields })

/** A record as import hands it to the store. */
function imported(record: CallRecord): CallRecord {
  const prepared = prepareRecord(record)
  if ('faults' in prepared) throw new Error(prepared.faults[0].message)
  return JSON.parse(prepared.record.json) as CallRecord
}

const present = (...keys: string[]) => ({ signals: keys.map(key => ({ key, state: 'present' as const })) })

let service: Asking
beforeAll(async () => {
  service = await asking('Europe/Berlin')
  await service.import('p', [
    call('a1', {
      score: 4,
      predicted_csat: 4.5,
      interaction_driver: 'pay bill',
      ...present('sig.empathy_shown', 'sig.own'),
    }),
    call('a2', {
      score: 5,
      predicted_csat: 3,
      interaction_driver: 'pay bill',
      created_dt: '2026-03-09T10:00:00Z',
      ...present('sig.own'),
    }),
    call('a3', {
      score: 3,
      outcome_lift: { lift: 0.4, lift_band: 'strong_positive' },
      talk_patterns: { total_duration_s: 60 },
    }),
    call('b1', {
      agent_name: 'Ben',
      score: 2,
      dimensions: [{ key: 'tone', value: 'cold' }],
      guidance: [{ key: 'guide.own', kind: 'opportunity' }],
    }),
    call('b2', { agent_name: 'Ben', created_dt: '2026-02-27T10:00:00Z', score: 2.5 }),
    { session_id: 'c1', agent_id: 'cy', agent_name: 'Cy', created_dt: '2026-03-03T23:30:00Z' },
  ])
  await service.import('other', [call('stranger', { agent_name: 'Stranger', score: 1, ...present('sig.own') })])
})
afterAll(() => service.close())

describe('get_agent_performance', () => {
  test('ranks agents with enough calls, with counts and an interval beside every average', async () => {
    const answer = await service.ask(getAgentPerformance, { min_calls: 2 })
    expect(answer.agents.map(agent => agent.agent_name)).toEqual(['Ana', 'Ben'])
    expect(answer.agents[0]).toEqual({
      agent_id: 'ana',
      agent_name: 'Ana',
      calls: 3,
      evaluated: 3,
      scored_calls: 3,
      average_score: 4,
      // By hand: pooled variance (2.125 + 10 × 0.64) / 13, with the own squares (13 × 0.6558 + 2) / 15; design effect
      // 4.25 / 3.25, of three calls 1.205; 4 - 2.1314 × sqrt(0.7017 × 1.205 / 3). Scores end at 5.
      score_interval_95: [expect.closeTo(2.868, 3) as number, 5],
      // Ben's interval overlaps hers.
      rank_interval_95: [1, 2],
      positive_share: 0.6667,
      positive_share_interval_95: [expect.any(Number), expect.any(Number)],
      average_predicted_csat: 3.75,
      csat_interval_95: [expect.any(Number), expect.any(Number)],
      csat_calls: 2,
      average_lift: 0.4,
      lift_calls: 1,
      average_duration_s: 60,
      duration_calls: 1,
    })
    expect(answer.below_min_calls).toEqual([{ agent_id: 'cy', agent_name: 'Cy', calls: 1 }])
    expect(answer).toMatchObject({ below_min_calls_total: 1, count: 2, total: 2 })
    expect(answer.scope_average).toMatchObject({ calls: 6, scored_calls: 5, average_score: 3.3 })
  })

  test('beside the same length of time before, when the start is given', async () => {
    const answer = await service.ask(getAgentPerformance, {
      date_from: '2026-03-01',
      date_to: '2026-03-07',
      min_calls: 1,
    })
    const ben = answer.agents.find(agent => agent.agent_name === 'Ben')
    expect(ben).toMatchObject({
      calls: 1,
      average_score: 2,
      previous: { calls: 1, average_score: 2.5, scored_calls: 1 },
    })
    // Of one call too: by what is known of the spread of others.
    const [low, high] = ben!.score_interval_95!
    expect([low! < 2, high! > 2]).toEqual([true, true])
  })

  test('with what stands out in each agent’s calls, and calls that show it', async () => {
    const asked = { include_signals: true, min_calls: 2, examples: 3 }
    const { agents } = await service.ask(getAgentPerformance, asked)
    // By hand: two of three calls against none of the two others', 0.6667 / sqrt(0.4 × 0.6 × (1/3 + 1/2)).
    expect(agents[0]?.signals).toEqual([
      {
        key: 'sig.own',
        display_name: 'sig.own',
        calls: 2,
        share: 0.6667,
        scope_share: 0.4,
        z: 1.4907,
        example_session_ids: ['a2', 'a1'],
      },
      expect.objectContaining({ key: 'sig.empathy_shown', calls: 1, z: 0.9129, example_session_ids: ['a1'] }),
    ])
    // What the others show and this one never does stands out as well.
    expect(agents[1]?.signals).toMatchObject([
      { key: 'sig.own', calls: 0, share: 0, z: -1.4907, example_session_ids: [] },
      { key: 'sig.empathy_shown', calls: 0, share: 0 },
    ])
    expect(agents[1]?.guidance).toMatchObject([{ key: 'guide.own', calls: 1, example_session_ids: ['b1'] }])
  })

  test('what stands out is not measured where there is nobody else', async () => {
    const ana = caller({ allowed_agents: ['Ana'] })
    const { agents } = await service.ask(getAgentPerformance, { include_signals: true, min_calls: 1 }, ana)
    expect(agents[0]?.signals?.map(({ key, share, scope_share, z }) => [key, share, scope_share, z])).toEqual([
      ['sig.own', 0.6667, 0.6667, undefined],
      ['sig.empathy_shown', 0.3333, 0.3333, undefined],
    ])
  })

  test('the same over REST, where agents are named by id', async () => {
    const { agents } = await service.ask(getAgentPerformance, { include_signals: true, min_calls: 2 })
    for (const { agent_id, signals, guidance } of agents) {
      const one = await service.ask(getAgent, { agent_id, include_signals: true })
      expect(one).toMatchObject({ signals, guidance })
    }
  })

  test('with a trend of each agent, in the project’s time zone', async () => {
    const { agents } = await service.ask(getAgentPerformance, { interval: 'week', min_calls: 1 })
    const { trend } = await service.ask(getProjectSummary, { interval: 'week' })
    expect(trend.length).toBeGreaterThan(1)
    const sums = new Map<string, number>()
    for (const step of agents.flatMap(agent => agent.trend ?? [])) {
      sums.set(step.period, (sums.get(step.period) ?? 0) + step.calls)
    }
    expect(Object.fromEntries(sums)).toEqual(Object.fromEntries(trend.map(({ period, calls: n }) => [period, n])))
    const { trend: whole } = await service.ask(getAgent, { agent_id: 'ana', interval: 'week' })
    const ana = agents.find(agent => agent.agent_name === 'Ana')
    expect(ana?.trend).toHaveLength(whole.length)
    expect(whole).toMatchObject(ana?.trend ?? [])
    expect(await service.ask(getAgentPerformance, {})).not.toHaveProperty('agents[0].trend')
  })

  test('of the twelve newest steps', async () => {
    const own = await asking('Europe/Berlin')
    const days = Array.from({ length: 30 }, (_, i) => new Date(Date.UTC(2026, 1, 1 + i, 10)).toISOString())
    await own.import(
      'p',
      days.map((created_dt, i) => evaluatedCall(`d${i}`, { created_dt, score: 3 })),
    )
    const { agents } = await own.ask(getAgentPerformance, { interval: 'day' })
    expect(agents[0]?.trend?.map(({ period }) => period)).toEqual(days.slice(-12).map(day => day.slice(0, 10)))
    expect(agents[0]?.trend?.[0]).toEqual({ period: '2026-02-19', calls: 1, average_score: 3, scored_calls: 1 })
    await own.close()
  })

  test('page by page', async () => {
    const first = await service.ask(getAgentPerformance, { min_calls: 1, limit: 1, sort: 'calls_desc' })
    const second = await service.ask(getAgentPerformance, {
      min_calls: 1,
      limit: 1,
      sort: 'calls_desc',
      cursor: first.next_cursor,
    })
    expect([...first.agents, ...second.agents].map(agent => agent.agent_name)).toEqual(['Ana', 'Ben'])
  })

  test('a narrowed key is measured against its own scope', async () => {
    const answer = await service.ask(getAgentPerformance, { min_calls: 1 }, caller({ allowed_agents: ['Ben'] }))
    expect(answer.agents.map(agent => agent.agent_name)).toEqual(['Ben'])
    expect(answer.scope_average.calls).toBe(2)
  })

  test('an agent out of scope answers as one that does not exist', async () => {
    const ben = caller({ allowed_agents: ['Ben'] })
    const outside = await service.ask(getAgentPerformance, { agent_name: 'Ana' }, ben)
    expect(outside).toEqual(await service.ask(getAgentPerformance, { agent_name: 'Nobody' }, ben))
  })
})

describe('what was just before a window in which clocks change', () => {
  let berlin: Asking
  beforeAll(async () => {
    berlin = await asking('Europe/Berlin')
    // The clocks went back on 26 October 2025: that week has 169 hours, the one before it 168 and began at 22:00 UTC.
    const times = ['2025-10-18T21:30:00Z', '2025-10-20T10:00:00Z', '2025-10-28T10:00:00Z']
    await berlin.import(
      'p',
      times.map((created_dt, i) => evaluatedCall(`d${i}`, { agent_name: 'Dee', created_dt })),
    )
  })
  afterAll(() => berlin.close())

  test.each([
    ['2025-10-26', '2025-11-01'],
    ['2025-10-19', '2025-10-25'],
  ])('%s to %s: as many days, and each call in one week', async (from, to) => {
    const { agents } = await berlin.ask(getAgentPerformance, { date_from: from, date_to: to, min_calls: 1 })
    expect(agents[0]).toMatchObject({ calls: 1, previous: { calls: 1 } })
    const one = await berlin.ask(getAgent, { agent_id: 'dee', start_date: from, end_date: to })
    expect(one).toMatchObject({ calls: 1, previous: { calls: 1 } })
  })
})

describe('get_project_summary', () => {
  test('says what a period was like, with calls for every entry', async () => {
    const summary = await service.ask(getProjectSummary, { interval: 'week' })
    expect(summary).toMatchObject({
      calls: 6,
      evaluated: 5,
      scored_calls: 5,
      average_score: 3.3,
      positive_share: 0.4,
      csat_calls: 2,
      csat_positive_share: 0.5,
      average_lift: 0.4,
      lift_calls: 1,
      drivers: [
        {
          key: 'pay bill',
          calls: 2,
          share: 0.3333,
          example_session_ids: ['a2'],
          average_score: 4.5,
          scored_calls: 2,
          score_interval_95: [expect.any(Number), 5],
        },
      ],
      drivers_total: 1,
      dimensions: [{ key: 'tone=cold', calls: 1, share: 0.2, example_session_ids: ['b1'] }],
      guidance: [{ key: 'guide.own', calls: 1, share: 0.2 }],
    })
    expect(summary.signals.map(signal => [signal.key, signal.calls, signal.share])).toEqual([
      ['sig.own', 2, 0.4],
      ['sig.empathy_shown', 1, 0.2],
    ])
    expect(summary.lift_bands.strong_positive).toEqual({ calls: 1, example_session_ids: ['a3'] })
    expect(summary.lift_bands.negative).toEqual({ calls: 0, example_session_ids: [] })
  })

  test('spreads scores over eight half-point bands, 5.0 in the highest', async () => {
    const { score_distribution: bands } = await service.ask(getProjectSummary)
    expect(bands.map(band => [band.from, band.to, band.calls])).toEqual([
      [1, 1.5, 0],
      [1.5, 2, 0],
      [2, 2.5, 1],
      [2.5, 3, 1],
      [3, 3.5, 1],
      [3.5, 4, 0],
      [4, 4.5, 1],
      [4.5, 5, 1],
    ])
    expect(bands[7]?.example_session_ids).toEqual(['a2'])
  })

  test('steps of the trend are those of the project’s calendar', async () => {
    const { trend } = await service.ask(getProjectSummary, { interval: 'day' })
    // 23:30 UTC on the 3rd is the 4th in Berlin.
    expect(trend.map(step => [step.period, step.calls])).toEqual([
      ['2026-02-27', 1],
      ['2026-03-02', 3],
      ['2026-03-04', 1],
      ['2026-03-09', 1],
    ])
    const weeks = await service.ask(getProjectSummary, { interval: 'week' })
    expect(weeks.trend.map(step => step.period)).toEqual(['2026-W09', '2026-W10', '2026-W11'])
  })

  test('of a period without calls is a summary of none', async () => {
    const summary = await service.ask(getProjectSummary, { date_from: '2020-01-01', date_to: '2020-01-31' })
    expect(summary).toMatchObject({ calls: 0, scored_calls: 0, drivers: [], signals: [], trend: [] })
    expect(summary.average_score).toBeUndefined()
  })

  test('lists are cut where asked, and say how long they are', async () => {
    const summary = await service.ask(getProjectSummary, { top: 1 })
    expect(summary.signals).toHaveLength(1)
    expect(summary.signals_total).toBe(2)
  })
})

test('a period without an end ends now, also where calls are dated later', async () => {
  const ahead = await asking()
  try {
    await ahead.import('p', [
      call('past', { created_dt: '2026-03-14T10:00:00Z', score: 4 }),
      call('just', { created_dt: '2026-03-15T11:59:59.999Z', score: 2 }),
    ])
    const until = { to: '2026-03-15T12:00:00.000Z' }
    const before = await ahead.ask(getProjectSummary)
    expect(before).toMatchObject({ calls: 2, average_score: 3, window: until })
    await ahead.import('p', [
      call('now', { created_dt: '2026-03-15T12:00:00Z', score: 5 }),
      call('later', { created_dt: '2026-04-01T10:00:00Z', score: 5 }),
    ])
    expect(await ahead.ask(getProjectSummary)).toEqual(before)
    const all = await ahead.ask(getProjectSummary, { date_to: '2026-04-30' })
    expect(all).toMatchObject({ calls: 4, average_score: 4 })
  } finally {
    await ahead.close()
  }
})

describe('calls that bring readings and do not say whose, beside one that brings none', () => {
  let other: Asking
  beforeAll(async () => {
    const { evaluation: _, ...bare } = call('x1', { ...present('sig.own') })
    const tone = [{ key: 'tone', value: 'cold' }]
    const guidance = [{ key: 'guide.own', kind: 'opportunity' as const }]
    const calls = [
      bare,
      { ...bare, session_id: 'x2', dimensions: tone },
      { ...bare, session_id: 'x3', signals: [], guidance },
      { ...bare, session_id: 'x4', signals: [] },
    ]
    other = await asking()
    await other.import('p', calls.map(imported))
  })
  afterAll(() => other.close())

  test('count as evaluated: no share is above one', async () => {
    const summary = await other.ask(getProjectSummary, {})
    expect(summary).toMatchObject({ calls: 4, evaluated: 3 })
    const shares = [summary.signals, summary.guidance, summary.dimensions].map(([first]) => first?.share)
    expect(shares).toEqual([0.6667, 0.3333, 0.3333])
  })

  test('an agent’s findings are shares of evaluated calls, as everywhere', async () => {
    const { agents } = await other.ask(getAgentPerformance, { include_signals: true, min_calls: 1 })
    expect(agents).toMatchObject([
      { calls: 4, evaluated: 3, signals: [{ share: 0.6667 }], guidance: [{ share: 0.3333 }] },
    ])
    const byId = await other.ask(getAgent, { agent_id: 'ana', include_signals: true })
    expect(byId).toMatchObject({ calls: 4, evaluated: 3, signals: [{ share: 0.6667 }], guidance: [{ share: 0.3333 }] })
  })
})
