import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { listAgents } from '../../src/questions/list-agents.js'
import { type Asking, asking } from '../support/asking.js'
import { evaluatedCall } from '../support/call.js'

// What an average may be over many such calls, and which places in a ranking that leaves open.

/** Bo, Cy and Di are alike, and apart from Ada above and Ed below. */
const MEANS = { Ada: 4.6, Bo: 3.6, Cy: 3.62, Di: 3.58, Ed: 2.4 }
let service: Asking

beforeAll(async () => {
  service = await asking()
  await service.import(
    'p',
    Object.entries(MEANS).flatMap(([agent_name, mean]) =>
      Array.from({ length: 30 }, (_, i) =>
        evaluatedCall(`${agent_name}-${i}`, {
          agent_name,
          created_dt: new Date(Date.parse('2026-02-01T09:00:00Z') + i * 86_400_000).toISOString(),
          score: mean + ((i * 7) % 5) / 10 - 0.2,
          predicted_csat: i % 3 === 0 ? 3 : 4.5,
          outcome_lift: { lift: ((i * 3) % 7) / 10 - 0.3, lift_band: 'neutral', p_behavioral: 0.5, p_context: 0.5 },
        }),
      ),
    ),
  )
})
afterAll(() => service.close())

describe('a ranking says who can not be told apart', () => {
  test('by places that agents share', async () => {
    const { agents } = await service.ask(getAgentPerformance)
    const places = Object.fromEntries(agents.map(one => [one.agent_name, one.rank_interval_95]))
    expect(places).toEqual({ Ada: [1, 1], Bo: [2, 4], Cy: [2, 4], Di: [2, 4], Ed: [5, 5] })
  })

  test('in the order that was asked for', async () => {
    const { agents } = await service.ask(getAgentPerformance, { sort: 'score_asc' })
    expect(agents[0]).toMatchObject({ agent_name: 'Ed', rank_interval_95: [1, 1] })
    expect(agents.at(-1)).toMatchObject({ agent_name: 'Ada', rank_interval_95: [5, 5] })
  })

  test('of a measure in which all are alike anyone may be first', async () => {
    const { agents } = await service.ask(getAgentPerformance, { sort: 'csat_desc' })
    expect(agents.map(one => one.rank_interval_95)).toEqual(Array.from({ length: 5 }, () => [1, 5]))
  })

  test('on a page the places are among all', async () => {
    const { agents } = await service.ask(getAgentPerformance, { limit: 2 })
    expect(agents.map(one => one.rank_interval_95)).toEqual([
      [1, 1],
      [2, 4],
    ])
  })

  test('by calls, or with one agent alone, there is nothing to tell apart', async () => {
    const byCalls = await service.ask(getAgentPerformance, { sort: 'calls_desc' })
    const alone = await service.ask(getAgentPerformance, { agent_name: 'Bo' })
    for (const { agents } of [byCalls, alone]) expect(agents[0]).not.toHaveProperty('rank_interval_95')
  })

  test('the list of agents too', async () => {
    const { agents } = await service.ask(listAgents)
    expect(agents.map(one => [one.agent_name, one.rank_interval_95])).toEqual([
      ['Ada', [1, 1]],
      ['Bo', [2, 4]],
      ['Cy', [2, 4]],
      ['Di', [2, 4]],
      ['Ed', [5, 5]],
    ])
    const [low, high] = agents[0]!.score_interval_95!
    expect(low!).toBeLessThan(4.6)
    expect(high!).toBeGreaterThan(4.6)
  })
})

describe('the summary says what each figure may be', () => {
  test('an interval around each, within its range', async () => {
    const found = await service.ask(getProjectSummary)
    const figures = [
      [found.average_score, found.score_interval_95, 1, 5],
      [found.positive_share, found.positive_share_interval_95, 0, 1],
      [found.average_predicted_csat, found.csat_interval_95, 1, 5],
      [found.csat_positive_share, found.csat_positive_share_interval_95, 0, 1],
    ] as const
    for (const [figure, interval, least, most] of figures) {
      const [low, high] = interval!
      expect(low!).toBeLessThan(figure!)
      expect(high!).toBeGreaterThan(figure!)
      expect([low! >= least, high! <= most]).toEqual([true, true])
    }
    // Of lifts that came with the calls it is not known.
    expect(found).toMatchObject({
      average_lift: expect.any(Number),
      lift_note: expect.stringContaining('came with the calls'),
    })
    expect(found).not.toHaveProperty('lift_interval_95')
  })

  test('without values none', async () => {
    const found = await service.ask(getProjectSummary, { date_from: '2025-01-01', date_to: '2025-01-31' })
    expect(Object.keys(found).filter(key => key.endsWith('interval_95'))).toEqual([])
  })
})

describe('how values spread is told by the last half year', () => {
  const DAY_MS = 86_400_000
  const END = Date.parse('2026-02-01T09:00:00Z')
  const callsOf = (name: string, daysAgo: number, scores: readonly number[]) =>
    scores.map((score, i) =>
      evaluatedCall(`${name}-${daysAgo}-${i}`, {
        agent_name: name,
        created_dt: new Date(END - (daysAgo + i) * DAY_MS).toISOString(),
        score,
      }),
    )
  const recent = ['Ada', 'Bo'].flatMap(name => callsOf(name, 0, [3, 3.4, 3.2, 3.6, 3.1, 3.5]))
  const earlier = (daysAgo: number) => ['Ada', 'Bo'].flatMap(name => callsOf(name, daysAgo, [1, 5, 1, 5, 1, 5]))

  const intervals = async (calls: readonly CallRecord[]) => {
    const own = await asking()
    try {
      await own.import('p', calls)
      const { agents } = await own.ask(getAgentPerformance, { date_from: '2026-01-20', min_calls: 1 })
      return agents.map(one => one.score_interval_95)
    } finally {
      await own.close()
    }
  }

  test('of the calls asked about or before them, and of none from before that', async () => {
    const alone = await intervals(recent)
    expect(await intervals([...recent, ...earlier(190)])).toEqual(alone)
    const wider = await intervals([...recent, ...earlier(170)])
    expect(wider[0]![1]).toBeGreaterThan(alone[0]![1]!)
  })
})
