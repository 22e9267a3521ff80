import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { evaluatedCall } from '../support/call.js'
import { sized } from '../support/whole.js'

const ZONE = 'America/Havana'
/** More than are looked through first: what else there is lies before them. */
const COMMON = 2_050
const HOUR_MS = 3_600_000
/** Clocks change in Havana on 8 March 2026, and a month ends. */
const START = Date.parse('2026-01-20T00:00Z')
const HOURS = 24 * 50

const anyRare = fc.record({
  hour: fc.integer({ min: 0, max: HOURS }),
  driver: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  signals: fc.subarray(['sig.a', 'sig.b', 'sig.c', 'sig.d']),
  dimensions: fc.subarray(['warm', 'cold', 'flat']),
  score: fc.integer({ min: 10, max: 50 }).map(n => n / 10),
  agent: fc.constantFrom('ana', 'ben'),
})
const rare = fc.sample(anyRare, { numRuns: 90, seed: 11 }).map((one, i) => ({ ...one, id: `rare${i}` }))

const isoAt = (hour: number) => new Date(START + hour * HOUR_MS).toISOString()

let service: Asking
beforeAll(async () => {
  service = await asking(ZONE)
  await service.import('p', [
    ...rare.map(({ id, hour, driver, signals, dimensions, score, agent }) =>
      evaluatedCall(id, {
        created_dt: isoAt(hour),
        agent_id: agent,
        agent_name: agent,
        interaction_driver: driver,
        signals: signals.map(key => ({ key, state: 'present' as const })),
        dimensions: dimensions.map(value => ({ key: 'tone', value })),
        score,
      }),
    ),
    ...Array.from({ length: COMMON }, (_, i) =>
      evaluatedCall(`common${i}`, {
        created_dt: new Date(START + (HOURS + 1) * HOUR_MS + i * 60_000).toISOString(),
        agent_id: 'ana',
        agent_name: 'ana',
        interaction_driver: 'usual',
        signals: [],
        score: 4.2,
      }),
    ),
  ])
})
afterAll(() => service.close())

type Rare = (typeof rare)[number]

/** The newest that a scan finds with each value. */
function newest(
  calls: readonly Rare[],
  valuesOf: (call: Rare) => readonly string[],
): Record<string, readonly string[]> {
  const found: Record<string, string[]> = {}
  for (const call of calls.toSorted((a, b) => b.hour - a.hour || (a.id < b.id ? -1 : 1))) {
    for (const value of valuesOf(call)) found[value] = [...(found[value] ?? []), call.id].slice(0, 3)
  }
  return found
}

const listed = (list: readonly { key: string; example_session_ids?: readonly string[] | undefined }[]) =>
  Object.fromEntries(list.filter(({ key }) => key !== 'usual').map(one => [one.key, one.example_session_ids]))

test.each([
  ['calls', false],
  ['counts', true],
])(
  'what is rare is shown by the newest calls that a scan finds, of any time and scope: by %s',
  async (_, isCounted) => {
    const days = isCounted ? await service.store.counts.countDays('p', ZONE) : 0
    expect(days > 40).toBe(isCounted)
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.integer({ min: 0, max: HOURS }), { nil: undefined }),
        fc.constantFrom<string[] | undefined>(undefined, ['ana'], ['ben', 'ana']),
        async (from, agents) => {
          const {
            drivers,
            signals,
            dimensions,
            score_distribution: bands,
          } = await service.ask(
            getProjectSummary,
            { examples: 3, ...(from !== undefined && { date_from: isoAt(from) }) },
            agents === undefined ? caller() : caller({ is_supervisor: false, roles: [], allowed_agents: agents }),
          )
          const heard = rare.filter(({ hour, agent }) => hour >= (from ?? 0) && (agents?.includes(agent) ?? true))
          expect(listed(drivers)).toEqual(newest(heard, ({ driver }) => [driver]))
          expect(listed(signals)).toEqual(newest(heard, call => call.signals))
          expect(listed(dimensions)).toEqual(newest(heard, call => call.dimensions.map(value => `tone=${value}`)))
          const lowest = newest(heard, ({ score }) => (score < 1.5 ? ['low'] : []))['low'] ?? []
          expect(bands[0]?.example_session_ids).toEqual(lowest)
        },
      ),
      { numRuns: sized(5, 8), endOnFailure: true },
    )
  },
)
