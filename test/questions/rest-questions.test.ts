import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { restQuestions } from '../../src/questions/rest-questions.js'
import { type Asking, asking, caller } from '../support/asking.js'

const { listInteractions, getInteraction, listAgents, getAgent, getScoreDistribution } = restQuestions

const call = (id: string, fields: Partial<CallRecord>): CallRecord => ({
  session_id: id,
  agent_id: 'ana-1',
  agent_name: 'Ana',
  created_dt: '2026-03-01T10:00:00.000Z',
  ...fields,
})

const whole = call('whole', {
  created_dt: '2026-03-04T10:00:00.000Z',
  title: 'Card lost',
  interaction_driver: 'replace card',
  interaction_direction: 'inbound',
  channel: 'phone',
  language_primary: 'en-US',
  session_metadata: { company_name: 'Bank', zulu: [1, null, { deep: true }], alpha: 'ä' },
  score: 5,
  predicted_csat: 4.5,
  outcome_lift: { lift: 0.4, lift_band: 'strong_positive', p_behavioral: 0.9, p_context: 0.5 },
  scores: [{ key: 'empathy', value: 4, range: [1, 5] }],
  dimensions: [{ key: 'intent_clarity', value: 'high' }],
  signals: [
    { key: 'sig.escalation', state: 'present', strength: 0.5, evidence: [{ turn: 0, quote: 'a manager' }] },
    { key: 'sig.greeting_given', state: 'absent' },
  ],
  guidance: [{ key: 'guide.x', kind: 'opportunity', priority: 'p1' }],
  coaching_summary: 'Was polite.',
  talk_patterns: { total_duration_s: 61.5, hold_count: 0 },
  trust: { level: 'high', reasons: [] },
  conditions: [{ key: 'hold', turn: 0 }],
  transcript: [{ turn: 0, actor: 'customer', text: 'Get me a manager', start_s: 0, end_s: 2.25 }],
  evaluation: { evaluator: 'rules', evaluated_at: '2026-03-05T00:00:00.000Z' },
})

const calls: readonly CallRecord[] = [
  call('a', { score: 1 }),
  call('b', { agent_id: 'ben-1', agent_name: 'Ben', score: 2, created_dt: '2026-03-02T09:00:00.000Z' }),
  call('c', { agent_id: 'ben-1', agent_name: 'Benjamin', created_dt: '2026-03-03T09:00:00.000Z', score: 1.5 }),
  call('d', { agent_id: 'cy-1', agent_name: 'Cy', created_dt: '2026-03-03T10:00:00.000Z' }),
  whole,
]

let service: Asking
beforeAll(async () => {
  service = await asking('Europe/Berlin')
  await service.import('p', calls)
  await service.import('other', [call('stranger', { score: 5 })])
})
afterAll(() => service.close())

const onlyBen = caller({ allowed_agents: ['Ben'] })
const nobody = caller({ require_mapping: true })

describe('the list of interactions by a signal', () => {
  const escalation = (state: 'present' | 'absent', figures: object) => ({
    signals: [
      { key: 'sig.escalation', state, ...figures },
      { key: 'sig.other', state: 'present' as const, confidence: 1, strength: 1 },
    ],
  })
  beforeAll(() =>
    service.import('other', [
      call('sure', escalation('present', { strength: 0.5, confidence: 0.98 })),
      call('doubtful', escalation('present', { strength: 0.8, confidence: 0.7 })),
      call('unmeasured', escalation('present', {})),
      call('not', escalation('absent', { strength: 0, confidence: 0.99 })),
    ]),
  )

  test.each<[object, string[]]>([
    [{}, ['doubtful', 'sure', 'unmeasured']],
    [{ min_confidence: 0.7 }, ['doubtful', 'sure']],
    [{ min_confidence: 0.95 }, ['sure']],
    [{ min_strength: 0.6 }, ['doubtful']],
    [{ min_confidence: 0.9, min_strength: 0.6 }, []],
  ])('%j finds %j', async (args, expected) => {
    const given = { signal_key: 'sig.escalation', ...args }
    const { interactions } = await service.ask(listInteractions, given, caller({}, 'other'))
    expect(interactions.map(one => one.session_id).toSorted()).toEqual(expected)
  })

  it('says that a least confidence is of a signal', async () => {
    await expect(service.ask(listInteractions, { min_confidence: 0.9 })).rejects.toThrow(/signal_key/)
  })
})

describe('the list of interactions', () => {
  const ids = async (args: object, who = caller()) =>
    (await service.ask(listInteractions, args, who)).interactions.map(one => one.session_id)

  test.each<[object, string[]]>([
    [{}, ['whole', 'd', 'c', 'b', 'a']],
    [{ agent_id: 'ben-1' }, ['c', 'b']],
    [{ min_score: 1.5, max_score: 2 }, ['c', 'b']],
    [{ start_date: '2026-03-02', end_date: '2026-03-03' }, ['d', 'c', 'b']],
    [{ sort: 'score_asc' }, ['a', 'c', 'b', 'whole', 'd']],
  ])('%j finds %j', async (args, expected) => {
    expect(await ids(args)).toEqual(expected)
  })

  test('gives each call in a few fields, leaving out what is unknown', async () => {
    const { interactions, window, total } = await service.ask(listInteractions, { limit: 2 })
    expect(interactions).toEqual([
      {
        session_id: 'whole',
        agent_id: 'ana-1',
        agent_name: 'Ana',
        created_dt: '2026-03-04T10:00:00.000Z',
        title: 'Card lost',
        interaction_driver: 'replace card',
        interaction_direction: 'inbound',
        score: 5,
        predicted_csat: 4.5,
        duration_s: 61.5,
        lift_band: 'strong_positive',
        signal_count: 1,
      },
      {
        session_id: 'd',
        agent_id: 'cy-1',
        agent_name: 'Cy',
        created_dt: '2026-03-03T10:00:00.000Z',
        signal_count: 0,
      },
    ])
    expect(total).toBe(5)
    expect(window.time_zone).toBe('Europe/Berlin')
  })

  test('page by page is the same as at once', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await service.ask(listInteractions, { limit: 2, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.interactions.map(one => one.session_id))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(seen).toEqual(['whole', 'd', 'c', 'b', 'a'])
  })

  test('is narrowed by agent_name, also below an agent_id that two names share', async () => {
    expect(await ids({ agent_id: 'ben-1' }, onlyBen)).toEqual(['b'])
    expect(await ids({}, nobody)).toEqual([])
  })

  test.each<[object, string]>([
    [{ min_score: 4, max_score: 3 }, 'Argument "min_score" must not be above "max_score"'],
    [
      { start_date: '2026-03-02', end_date: '2026-03-01' },
      '"start_date" "2026-03-02" is after "end_date" "2026-03-01"',
    ],
    [{ start_date: 'soon' }, 'Argument "start_date" is neither a date'],
    [
      { start_date: 'last week' },
      ': "last week"; that is 2026-03-02 to 2026-03-08, and today is 2026-03-15 (Europe/Berlin)',
    ],
    [{ limit: 501 }, 'Argument "limit" must be between 1 and 500'],
  ])('%j is refused', async (args, sentence) => {
    await expect(ids(args)).rejects.toThrow(sentence)
  })
})

describe('one interaction', () => {
  const read = async (id: string, who = caller()) =>
    JSON.stringify(await service.ask(getInteraction, { interaction_id: id }, who))

  test('is the whole record as it was imported', async () => {
    expect(JSON.parse(await read('whole'))).toEqual(whole)
    expect(JSON.parse(await read('a'))).toEqual(calls[0])
  })

  test('is the same bytes when it is imported again', async () => {
    const before = await read('whole')
    await service.import('p', [JSON.parse(before) as CallRecord])
    expect(await read('whole')).toBe(before)
  })

  test('out of scope answers as if it did not exist', async () => {
    await expect(read('whole', onlyBen)).rejects.toThrow('Call not found: whole')
    await expect(read('stranger')).rejects.toThrow('Call not found: stranger')
    await expect(read('nowhere')).rejects.toThrow('Call not found: nowhere')
    expect(JSON.parse(await read('b', onlyBen))).toEqual(calls[1])
  })
})

describe('the agents', () => {
  test('are told apart by id and name together, with the calls behind each average', async () => {
    const { agents, total } = await service.ask(listAgents)
    expect(total).toBe(4)
    expect(agents).toEqual([
      {
        agent_id: 'ana-1',
        agent_name: 'Ana',
        calls: 2,
        scored_calls: 2,
        average_score: 3,
        score_interval_95: [1, 5],
        rank_interval_95: [1, 3],
        first_call: '2026-03-01T10:00:00.000Z',
        last_call: '2026-03-04T10:00:00.000Z',
      },
      expect.objectContaining({ agent_name: 'Ben', calls: 1, average_score: 2 }),
      expect.objectContaining({ agent_name: 'Benjamin', calls: 1, average_score: 1.5 }),
      {
        agent_id: 'cy-1',
        agent_name: 'Cy',
        calls: 1,
        scored_calls: 0,
        first_call: '2026-03-03T10:00:00.000Z',
        last_call: '2026-03-03T10:00:00.000Z',
      },
    ])
  })

  test('come in pages and only as far as the caller hears', async () => {
    const first = await service.ask(listAgents, { limit: 3 })
    const second = await service.ask(listAgents, { limit: 3, cursor: first.next_cursor })
    expect(second.agents.map(one => one.agent_name)).toEqual(['Cy'])
    expect(second.next_cursor).toBeUndefined()
    expect((await service.ask(listAgents, {}, onlyBen)).agents.map(one => one.agent_name)).toEqual(['Ben'])
    expect(await service.ask(listAgents, {}, nobody)).toEqual({ agents: [], total: 0 })
  })
})

describe('one agent', () => {
  test('has the numbers get_agent_performance gives, the trend, and the time before where there is one', async () => {
    const tool = await service.ask(getAgentPerformance, { min_calls: 1, agent_name: 'Ana', include_signals: true })
    const answer = await service.ask(getAgent, { agent_id: 'ana-1', include_signals: true })
    expect(answer).toEqual({
      ...tool.agents[0],
      window: tool.window,
      lift_outcome: 'predicted_csat',
      lift_note: tool.lift_note,
      trend: [
        { period: '2026-03', calls: 2, average_score: 3, scored_calls: 2, average_predicted_csat: 4.5, csat_calls: 1 },
      ],
      trend_total: 1,
    })
    expect(answer.signals?.map(one => one.key)).toEqual(['sig.escalation'])
    expect(
      await service.ask(getAgent, {
        agent_id: 'ana-1',
        start_date: '2026-03-04',
        end_date: '2026-03-06',
        interval: 'day',
      }),
    ).toMatchObject({
      calls: 1,
      previous: { calls: 1, average_score: 1, scored_calls: 1 },
      trend: [{ period: '2026-03-04', calls: 1 }],
    })
  })

  test('is all calls of the id, under whatever name the caller hears', async () => {
    expect(await service.ask(getAgent, { agent_id: 'ben-1' })).toMatchObject({
      agent_name: 'Ben',
      other_names: ['Benjamin'],
      calls: 2,
      average_score: 1.75,
    })
    const narrowed = await service.ask(getAgent, { agent_id: 'ben-1' }, onlyBen)
    expect(narrowed).toMatchObject({ agent_name: 'Ben', calls: 1, average_score: 2 })
    expect(narrowed.other_names).toBeUndefined()
  })

  test('without calls in the period has zero calls and no average', async () => {
    const answer = await service.ask(getAgent, {
      agent_id: 'cy-1',
      start_date: '2026-01-01',
      end_date: '2026-01-31',
      include_signals: true,
    })
    expect(answer).toMatchObject({
      agent_name: 'Cy',
      calls: 0,
      previous: { calls: 0 },
      trend: [],
      signals: [],
      guidance: [],
    })
    expect(answer).not.toHaveProperty('average_score')
  })

  test('out of scope is like not there', async () => {
    const ask = (agent_id: string, who?: Parameters<typeof service.ask>[2]) => service.ask(getAgent, { agent_id }, who)
    await expect(ask('ana-1', onlyBen)).rejects.toThrow('Agent not found: ana-1')
    await expect(ask('nowhere', onlyBen)).rejects.toThrow('Agent not found: nowhere')
    await expect(ask('ben-1', nobody)).rejects.toThrow('Agent not found: ben-1')
  })
})

describe('the score distribution', () => {
  test('counts every scored call in one band, the highest score in the highest', async () => {
    const answer = await service.ask(getScoreDistribution)
    expect(answer).toMatchObject({ calls: 5, scored_calls: 4, average_score: 2.375, median_score: 1.75 })
    expect(answer.distribution.map(band => [band.from, band.to, band.calls])).toEqual([
      [1, 1.5, 1],
      [1.5, 2, 1],
      [2, 2.5, 1],
      [2.5, 3, 0],
      [3, 3.5, 0],
      [3.5, 4, 0],
      [4, 4.5, 0],
      [4.5, 5, 1],
    ])
    expect(answer.distribution.map(band => band.share)).toEqual([0.25, 0.25, 0.25, 0, 0, 0, 0, 0.25])
  })

  test('takes any number of bands; they always add up', async () => {
    for (const bands of [1, 3, 7, 100]) {
      const answer = await service.ask(getScoreDistribution, { bands })
      expect(answer.distribution).toHaveLength(bands)
      expect(answer.distribution.reduce((sum, band) => sum + band.calls, 0)).toBe(4)
    }
  })

  test('is of a period, an agent and the scope', async () => {
    const ben = await service.ask(getScoreDistribution, { agent_id: 'ben-1', end_date: '2026-03-03' })
    expect(ben).toMatchObject({ calls: 2, median_score: 1.75 })
    const heard = await service.ask(getScoreDistribution, { agent_id: 'ben-1' }, onlyBen)
    expect(heard).toMatchObject({ calls: 1, average_score: 2, median_score: 2 })
  })

  test('of no calls has counts and neither average nor share', async () => {
    const answer = await service.ask(getScoreDistribution, { bands: 1 }, nobody)
    expect(answer).toEqual({
      window: { to: '2026-03-15T12:00:00.000Z', time_zone: 'Europe/Berlin' },
      calls: 0,
      scored_calls: 0,
      distribution: [{ from: 1, to: 5, calls: 0 }],
    })
  })
})
