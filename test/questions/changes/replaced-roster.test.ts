import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectChanges } from '../../../src/questions/detect-changes.js'
import { getProjectSummary } from '../../../src/questions/get-project-summary.js'
import { type Asking, asking } from '../../support/asking.js'
import { evaluatedCall } from '../../support/call.js'

const DAY_MS = 86_400_000

let service: Asking
beforeAll(async () => {
  service = await asking('UTC', { clock: () => Date.parse('2026-05-02T12:00:00Z') })
  // Four months of 360 calls; in the last the four best have left, and four weaker ones have joined.
  const end = Date.parse('2026-05-01T00:00:00Z')
  const skill = (agent: number) => (agent < 4 ? 4.6 : agent < 12 ? 4 : 3.2)
  const calls = Array.from({ length: 120 * 12 }, (_, i) => {
    const day = Math.floor(i / 12)
    const agent = (i % 12) + (day >= 90 ? 4 : 0)
    const noise = (((i * 7_919) % 11) - 5) / 10
    return evaluatedCall(`r${i}`, {
      agent_name: `Agent ${String.fromCodePoint(65 + agent)}`,
      created_dt: new Date(end - (120 - day) * DAY_MS + (i % 12) * 3_000_000).toISOString(),
      score: Math.min(5, Math.max(1, Math.round((skill(agent) + noise) * 10) / 10)),
    })
  })
  await service.import('p', calls)
})
afterAll(() => service.close())

test('a replaced third of the roster is no change', async () => {
  const found = await service.ask(detectChanges, { period: '2026-04-01 to 2026-04-30' })
  expect(found).toMatchObject({ agents_compared: 8, earlier_pairs: 2 })
  expect(found.tested).toBeGreaterThan(0)
  expect(found.calls_compared_share).toBeCloseTo(8 / 12, 2)
  // The mean of all calls fell by almost half a point all the same.
  const { trend } = await service.ask(getProjectSummary, { interval: 'month' })
  const months = trend.map(one => one.average_score ?? Number.NaN)
  expect(Math.abs(months.at(-1)! - months.at(-2)!)).toBeGreaterThan(0.4)
  expect(found.changes.filter(({ significance }) => significance === 'high')).toEqual([])
})
