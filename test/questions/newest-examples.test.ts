import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detectChanges } from '../../src/questions/detect-changes.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getAgent } from '../../src/questions/get-agent.js'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { type Asking, asking } from '../support/asking.js'
import { evaluatedCall } from '../support/call.js'

/** More than are looked through first, so that what only old calls have is older than those. */
const COMMON = 2_400
const RARE = Array.from({ length: 30 }, (_, i) => `rare${i}`)

const present = (...keys: string[]) => keys.map(key => ({ key, state: 'present' as const }))

const minute = (n: number) => ({ created_dt: new Date(Date.UTC(2026, 2, 2) + n * 60_000).toISOString() })

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import('p', [
    ...RARE.map((id, n) =>
      evaluatedCall(id, {
        ...minute(n),
        interaction_driver: 'rare driver',
        signals: present('sig.rare'),
        guidance: [{ key: 'guide.rare', kind: 'opportunity' }],
        dimensions: [{ key: 'tone', value: 'rare' }],
        score: 1.2,
        outcome_lift: { lift: -0.5, lift_band: 'strong_negative' },
      }),
    ),
    ...Array.from({ length: COMMON }, (_, i) =>
      evaluatedCall(`common${i}`, {
        ...minute(40 + i),
        interaction_driver: 'usual',
        signals: present('sig.usual'),
        score: 4.2,
      }),
    ),
  ])
})
afterAll(() => service.close())

const newest = (...ids: number[]) => ids.map(id => `common${id}`)
const COMMON_NEWEST = newest(COMMON - 1, COMMON - 2, COMMON - 3)
const RARE_NEWEST = ['rare29', 'rare28', 'rare27']

test('what is common is shown by the newest calls, what only old calls have by the newest of those', async () => {
  const answer = await service.ask(getProjectSummary, { examples: 3 })
  const examples = (list: readonly { key: string; example_session_ids?: readonly string[] | undefined }[]) =>
    Object.fromEntries(list.map(one => [one.key, one.example_session_ids]))
  expect(examples(answer.drivers)).toEqual({ usual: COMMON_NEWEST, 'rare driver': RARE_NEWEST })
  expect(examples(answer.signals)).toEqual({ 'sig.usual': COMMON_NEWEST, 'sig.rare': RARE_NEWEST })
  expect(examples(answer.guidance)).toEqual({ 'guide.rare': RARE_NEWEST })
  expect(examples(answer.dimensions)).toEqual({ 'tone=rare': RARE_NEWEST })
  expect(answer.lift_bands.strong_negative).toEqual({ calls: RARE.length, example_session_ids: RARE_NEWEST })
  expect(answer.score_distribution[0]).toMatchObject({ from: 1, calls: RARE.length, example_session_ids: RARE_NEWEST })
  expect(answer.score_distribution[6]).toMatchObject({ from: 4, calls: COMMON, example_session_ids: COMMON_NEWEST })
})

test('the same of one agent', async () => {
  const { agents } = await service.ask(getAgentPerformance, { include_signals: true, examples: 3 })
  const signals = agents[0]?.signals ?? []
  expect(Object.fromEntries(signals.map(one => [one.key, one.example_session_ids]))).toEqual({
    'sig.usual': COMMON_NEWEST,
    'sig.rare': RARE_NEWEST,
  })
})

test('and of a change: what is gone is shown by calls of before', async () => {
  const { changes } = await service.ask(detectChanges, {
    period: '2026-03-03 to 2026-03-03',
    baseline: '2026-03-02 to 2026-03-02',
    examples: 3,
  })
  const gone = changes.filter(({ direction }) => direction === 'gone')
  expect(gone.map(({ key }) => key).toSorted()).toEqual(['guide.rare', 'rare driver', 'sig.rare', 'tone=rare'])
  for (const change of gone) expect(change.example_session_ids).toEqual(RARE_NEWEST)
})

describe('examples', () => {
  const asked = async (more: object) => {
    const { drivers, lift_bands: bands } = await service.ask(getProjectSummary, more)
    return [drivers[0], bands.strong_negative]
  }

  test('are one unless more are asked for', async () => {
    const [driver, band] = await asked({})
    expect(driver).toMatchObject({ key: 'usual', example_session_ids: COMMON_NEWEST.slice(0, 1) })
    expect(band).toEqual({ calls: RARE.length, example_session_ids: RARE_NEWEST.slice(0, 1) })
    expect(await asked({ examples: 2 })).toMatchObject([
      { example_session_ids: COMMON_NEWEST.slice(0, 2) },
      { example_session_ids: RARE_NEWEST.slice(0, 2) },
    ])
  })

  test('are left out when none are wanted, in every answer that has figures', async () => {
    const changes = { period: '2026-03-03 to 2026-03-03', baseline: '2026-03-02 to 2026-03-02', examples: 0 }
    const answers = [
      await service.ask(getProjectSummary, { examples: 0 }),
      await service.ask(getAgentPerformance, { include_signals: true, examples: 0 }),
      await service.ask(getAgent, { agent_id: 'ana', include_signals: true, examples: 0 }),
      await service.ask(detectChanges, changes),
    ]
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain('example_session_ids')
  })

  test.each([-1, 4, 1.5, 'x', null])('are no %j', async examples => {
    const refused = /^Argument "examples" must be/
    await expect(service.ask(getProjectSummary, { examples })).rejects.toThrow(refused)
    await expect(service.ask(getAgentPerformance, { examples })).rejects.toThrow(refused)
    await expect(service.ask(getAgent, { agent_id: 'ana', examples })).rejects.toThrow(refused)
    await expect(service.ask(detectChanges, { period: 'last week', examples })).rejects.toThrow(refused)
  })
})
