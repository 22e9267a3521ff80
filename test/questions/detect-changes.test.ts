import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateCalls } from '../../src/demo/generate-calls.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import { detectChanges } from '../../src/questions/detect-changes.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { evaluatedCall } from '../support/call.js'

/** The agent whose decline is planted. */
const AGENT = 'Maxine Wilkinson'

let service: Asking
/** What the last week is told to have brought, for all tests that look at it. */
let lastWeek: Awaited<ReturnType<typeof askLastWeek>>
const askLastWeek = () => service.ask(detectChanges, { period: 'last 7 days', baseline: 'last 8 weeks' })
let facts: readonly { readonly fact: string; readonly key: string }[]

beforeAll(async () => {
  service = await asking()
  // The tests ask on 2026-03-15, a Sunday.
  const generated = generateCalls({ calls: 4_000, seed: 7, end: new Date('2026-03-15T00:00:00Z') })
  await service.import(
    'p',
    [...generated.lines].map(line => {
      // What was said counts for no change.
      const { transcript: _, ...call } = JSON.parse(line) as CallRecord
      return call
    }),
  )
  facts = generated.report().planted as unknown as typeof facts
  lastWeek = await askLastWeek()
})
afterAll(() => service.close())

describe('what was planted is found', () => {
  test('a driver that rose in the last week', async () => {
    const { changes, tested } = lastWeek
    expect(tested).toBeGreaterThan(20)
    const driver = changes.find(change => change.category === 'driver' && change.direction === 'up')
    expect(driver).toMatchObject({ significance: 'high', display_name: driver?.key })
    expect(JSON.stringify(facts)).toContain(driver?.key)
    // Of each agent to themselves, and what is left of the difference.
    expect(driver!.delta).toBe(driver!.within_agents)
    expect(driver!.within_agents + driver!.from_who_worked).toBeCloseTo(driver!.value - driver!.baseline_value, 3)
    expect(driver!.delta).toBeGreaterThan(driver!.usual_move)
    expect(driver!.example_session_ids).toHaveLength(1)
  })

  test.each(['last 2 weeks', 'last 30 days', 'this month'])(
    'an agent who declined is one entry, which names her: %s',
    async period => {
      const answer = await service.ask(detectChanges, { period })
      const hers = answer.changes.filter(({ key, carried_by: by }) => by === AGENT || key === AGENT)
      expect(JSON.stringify(facts)).toContain(AGENT)
      expect(hers).toMatchObject([{ category: 'agent', key: AGENT, direction: 'down' }])
      // No score of the team fell: those falls were hers.
      expect(answer.changes.filter(({ category, direction }) => category === 'score' && direction === 'down')).toEqual(
        [],
      )
      expect(answer.changes.length).toBeLessThan(8)
    },
  )

  test('a signal that vanished', async () => {
    const { changes } = await service.ask(detectChanges, {
      period: 'last 7 days',
      baseline: '2026-01',
      categories: ['signals'],
    })
    const gone = changes.find(change => change.direction === 'gone')
    expect(gone).toMatchObject({ occurrences: 0, value: 0 })
    expect(JSON.stringify(facts)).toContain(gone?.key)
    // Its examples are of the time when it was there.
    expect(gone!.example_session_ids).toHaveLength(1)
  })
})

test('a number can be followed to its calls: search_calls with the same filter counts as many', async () => {
  const { changes, window } = lastWeek
  const driver = changes.find(change => change.category === 'driver')!
  const { total } = await service.ask(searchCalls, { driver: driver.key, date_from: window.from, date_to: window.to })
  expect(total).toBe(driver.occurrences)
})

test('periods are echoed as resolved, with their calls', async () => {
  const { window, baseline } = await service.ask(detectChanges, { period: '2026-02' })
  expect(window).toMatchObject({ from: '2026-02-01T00:00:00.000Z', to: '2026-02-28T23:59:59.999Z', time_zone: 'UTC' })
  expect(baseline).toMatchObject({ from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T23:59:59.999Z' })
  expect(window.calls).toBeGreaterThan(0)
})

test('a period without calls is an answer with none, which says so and where calls are', async () => {
  const answer = await service.ask(detectChanges, { period: '2020-01' })
  expect(answer).toMatchObject({ window: { calls: 0 }, tested: 0, changes: [], total: 0 })
  expect(answer.warnings).toEqual([
    expect.stringMatching(
      /^There are no calls in the period; there are some from 202\d-\d\d-\d\d to 2026-03-1\d \(UTC\)$/,
    ),
    expect.stringMatching(/^There are no calls in the baseline; /),
  ])
  const { warnings } = await service.ask(detectChanges, { period: '2030-01', baseline: 'last week' })
  expect(warnings).toEqual(['The period is yet to come: it begins 2030-01-01 (UTC)'])
  expect((await service.ask(detectChanges, { period: 'last 7 days' })).warnings).toBeUndefined()
})

test('without earlier calls nothing is high, and the answer says why', async () => {
  const {
    changes,
    warnings,
    earlier_pairs: pairs,
    detectable,
  } = await service.ask(detectChanges, { period: 'last 30 days' })
  expect(pairs).toBe(0)
  expect(warnings).toEqual([expect.stringMatching(/^There are not enough earlier calls .* nothing is called high$/)])
  expect(changes.map(({ significance }) => significance)).not.toContain('high')
  expect(detectable.score).toBeGreaterThan(0)
  expect(detectable.shares.map(({ share }) => share)).toEqual([0.05, 0.2, 0.5])
})

test.each(['last 3 days', 'last 7 days', 'last 10 days'])(
  'no change is said to have been seen that could not have been: %s of one agent',
  async period => {
    const { detectable } = await service.ask(detectChanges, { period, agent_name: AGENT })
    // Scores are from 1 to 5, and a share is of 1.
    expect(detectable.score ?? 0).toBeLessThan(4)
    expect(detectable.shares.filter(({ share, change }) => share + change >= 1)).toEqual([])
  },
)

describe('a baseline that holds calls of the period', () => {
  test('is what is left of it, and says so: tests are of samples that share nothing', async () => {
    const asked = lastWeek
    const apart = await service.ask(detectChanges, { period: 'last 7 days', baseline: '2026-01-18 to 2026-03-07' })
    expect(asked.warnings).toEqual([
      'The baseline overlaps the period: calls of both count in the period only, and the baseline is compared without them',
    ])
    expect(asked).toEqual({ ...apart, warnings: asked.warnings })
  })

  test('on both sides of it is compared as one', async () => {
    const asked = await service.ask(detectChanges, { period: '2026-02-08 to 2026-02-14', baseline: '2026-02' })
    const [before, after] = await Promise.all(
      [
        ['2026-02-01', '2026-02-07'],
        ['2026-02-15', '2026-02-28'],
      ].map(([date_from, date_to]) => service.ask(searchCalls, { date_from, date_to, limit: 1 })),
    )
    expect(asked.warnings).toHaveLength(1)
    expect(asked.baseline).toMatchObject({ from: '2026-02-01T00:00:00.000Z', to: '2026-02-28T23:59:59.999Z' })
    expect(asked.baseline.calls).toBe(before!.total + after!.total)
    // Rare things that are gone have their examples outside of the period.
    const loose = { period: '2026-02-08 to 2026-02-14', baseline: '2026-01-01 to 2026-03-14', min_occurrences: 1 }
    const { changes } = await service.ask(detectChanges, loose)
    const gone = changes.filter(({ direction }) => direction === 'gone')
    expect(gone.map(({ example_session_ids: ids }) => ids?.length)).not.toContain(0)
  })

  test('of nothing else is refused', async () => {
    for (const baseline of ['2026-02', '2026-02-10 to 2026-02-12']) {
      // oxlint-disable-next-line no-await-in-loop -- heavy questions come one after the other
      await expect(service.ask(detectChanges, { period: '2026-02', baseline })).rejects.toThrow(
        /^Argument "baseline" .* lies within the period "2026-02": there is nothing left to compare with/,
      )
    }
  })
})

test('two agents of one name are two: one who fell and one who rose are no agent without a change', async () => {
  const own = await asking()
  const last = '2026-03-11'
  const calls = ['2026-01-10', '2026-01-20', '2026-01-30', '2026-02-09', '2026-02-19', '2026-03-01', last].flatMap(
    day =>
      Array.from({ length: 30 }, (_, i) => i).flatMap(i => {
        const at = (agent_id: string, agent_name: string, score: number) =>
          evaluatedCall(`${day}-${i}-${agent_id}`, {
            agent_id,
            agent_name,
            created_dt: `${day}T10:00:00Z`,
            score: score + (i % 3) / 4,
          })
        return [
          at('ada-1', 'Ada', day === last ? 2 : 4),
          at('ada-2', 'Ada', day === last ? 4 : 2),
          // Others, who stay as they are: what is usual.
          ...['Bo', 'Cy', 'Di', 'Ed', 'Flo'].map((name, own) => at(name, name, 3 + own / 9)),
        ]
      }),
  )
  await own.import('p', calls)
  const { changes } = await own.ask(detectChanges, { period: '2026-03-06 to 2026-03-15', examples: 3 })
  const agents = changes.filter(({ category }) => category === 'agent')
  expect(agents.map(({ key, direction }) => `${key} ${direction}`).toSorted()).toEqual(['Ada down', 'Ada up'])
  // Their examples are of one of them.
  for (const { example_session_ids: ids } of agents) expect(new Set(ids!.map(id => id.slice(-5))).size).toBe(1)
  await own.close()
})

describe('when other agents work', () => {
  let team: Asking
  const callsOf = (agent_name: string, created_dt: string, score: number, count = 40) =>
    Array.from({ length: count }, (_, i) =>
      evaluatedCall(`${agent_name}-${created_dt}-${i}`, {
        agent_name,
        created_dt,
        score: Math.min(5, Math.max(1, score + ((i % 5) - 2) / 4)),
        signals: [{ key: 'sig.empathy_shown', state: (i % 10) / 10 < score / 6 ? 'present' : 'absent' }],
      }),
    )
  const DAYS = ['2026-01-10', '2026-01-20', '2026-01-30', '2026-02-09', '2026-02-19', '2026-03-01', '2026-03-11']
  beforeAll(async () => {
    team = await asking()
    const at = (day: string) => `${day}T10:00:00Z`
    const last = DAYS.at(-1)!
    await team.import('p', [
      ...DAYS.flatMap(day => [...callsOf('Ann', at(day), 3), ...callsOf('Bob', at(day), 3.5)]),
      // Cy is good and leaves; Di and Ed are not, and come.
      ...DAYS.filter(day => day !== last).flatMap(day => callsOf('Cy', at(day), 4.5)),
      ...callsOf('Di', at(last), 1.5),
      ...callsOf('Ed', at(last), 1.5, 70),
    ])
  })
  afterAll(() => team.close())

  test('nothing changed: the difference is from who worked', async () => {
    const answer = await team.ask(detectChanges, { period: '2026-03-06 to 2026-03-15' })
    expect(answer.changes).toEqual([])
    expect(answer).toMatchObject({ agents_compared: 2, earlier_pairs: 4 })
    expect(answer.calls_compared_share).toBeCloseTo(80 / 190, 3)
    expect(answer.warnings).toEqual([
      "Only 42 % of the period's calls are of agents who took calls in both periods: changes are theirs",
    ])
  })

  test('by nobody of both periods nothing is tested', async () => {
    const answer = await team.ask(detectChanges, { period: '2026-03-06 to 2026-03-15', agent_name: 'Di' })
    expect(answer).toMatchObject({ tested: 0, changes: [], agents_compared: 0 })
    const both = caller({ allowed_agents: ['Cy', 'Di'] })
    const { tested, warnings } = await team.ask(detectChanges, { period: '2026-03-06 to 2026-03-15' }, both)
    expect(tested).toBe(0)
    expect(warnings).toEqual([expect.stringMatching(/^No agent took calls in both periods/)])
  })

  test('of one agent it is said that it may be the agent or the team, and how to ask', async () => {
    const { warnings } = await team.ask(detectChanges, { period: '2026-03-06 to 2026-03-15', agent_name: 'Ann' })
    expect(warnings).toEqual([
      expect.stringMatching(/^One agent took calls in both periods/),
      expect.stringMatching(/^Of all agents \(without agent_name and team\)/),
    ])
  })
})

test('two equal scores against five are no change', async () => {
  const call = (id: string, created_dt: string, score: number) => evaluatedCall(id, { created_dt, score })
  await service.import('other', [
    ...[1, 2].map(i => call(`now${i}`, '2026-03-10T10:00:00Z', 5)),
    ...[1, 2, 3, 4, 5].map(i => call(`before${i}`, '2026-02-10T10:00:00Z', 3)),
  ])
  const asked = { period: '2026-03', baseline: '2026-02', min_occurrences: 1 }
  const answer = await service.ask(detectChanges, asked, caller({}, 'other'))
  expect(answer.window.calls).toBe(2)
  expect(answer.changes).toEqual([])
})

test('a narrowed key hears of changes in its own calls only', async () => {
  const nobody = caller({ allowed_agents: ['Nobody'] })
  const answer = await service.ask(detectChanges, { period: 'last 7 days', baseline: 'last 8 weeks' }, nobody)
  expect(answer).toMatchObject({ tested: 0, changes: [], total: 0, window: { calls: 0 }, baseline: { calls: 0 } })
  // Nor where others' calls are.
  expect(answer.warnings).toContain('There are no calls in the period, and none in any other')
})

test.each([
  [{}, /"period"/],
  [{ period: 'soon' }, /"period".*last N days/],
  [{ period: 'today', baseline: 'never' }, /"baseline"/],
  [{ period: 'today', categories: [] }, /"categories"/],
  [{ period: 'today', categories: ['moods'] }, /"categories.*signals/],
  [{ period: 'today', categories: Array(50_000).fill('moods') }, /"categories".*at most 6/],
  [{ period: 'today', min_occurrences: 0 }, /"min_occurrences"/],
])('bad arguments %# are refused by name', async (args, sentence) => {
  await expect(service.ask(detectChanges, args)).rejects.toThrow(sentence)
})
