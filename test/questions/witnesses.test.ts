import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callRecord, type CallRecord } from '../../src/calls/call-record.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { detectChanges } from '../../src/questions/detect-changes.js'
import { getAgentPerformance } from '../../src/questions/get-agent-performance.js'
import { getProjectSummary } from '../../src/questions/get-project-summary.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { type Asking, asking } from '../support/asking.js'
import { isTried, sized } from '../support/whole.js'

// Every number can be followed: the filter that lists its calls finds as many, and the examples are the newest of them.

/** Something new of every kind that detect_changes tells apart. */
function worsen(call: CallRecord): void {
  Object.assign(call, {
    score: 1.5,
    predicted_csat: 1.5,
    interaction_driver: 'outage',
    scores: call.scores?.map(score => ({ ...score, value: 1.5 })),
    signals: [...(call.signals ?? []), { key: 'sig.outage', state: 'present' }],
    guidance: [...(call.guidance ?? []), { key: 'guide.outage', kind: 'opportunity' }],
    dimensions: [...(call.dimensions ?? []), { key: 'mood', value: 'angry' }],
  })
}

let service: Asking
beforeAll(async () => {
  service = await asking('Europe/Berlin')
  const { lines } = generateCalls({ calls: 700, seed: 7, days: 28, end: new Date('2026-03-15T00:00:00Z') })
  const calls = [...lines].map(line => {
    const { transcript: _, ...call } = callRecord.parse(JSON.parse(line))
    return call
  })
  // Words that look like the notation they are written in.
  Object.assign(calls[0]!, { dimensions: [{ key: 'a=b', value: 'c=d' }], interaction_driver: '$pay "all" bills' })
  calls.filter(call => call.created_dt >= '2026-03-02' && call.evaluation !== undefined).forEach(worsen)
  await service.import('p', calls)
})
afterAll(() => service.close())

const window = { date_from: '2026-02-20', date_to: '2026-03-12' }
const asked = { ...window, examples: 3 }

interface Numbered {
  readonly calls: number
  readonly example_session_ids?: readonly string[] | undefined
}

/** What the filter finds, told like an entry. */
async function listedBy(filter: object): Promise<Numbered> {
  const { total, calls } = await service.ask(searchCalls, { ...filter, limit: 3 })
  return { calls: total, example_session_ids: calls.map(call => call.session_id) }
}

const told = ({ calls, example_session_ids = [] }: Numbered): Numbered => ({ calls, example_session_ids })

describe('get_project_summary', () => {
  const lists = [
    ['drivers', 'driver'],
    ['signals', 'signal_key'],
    ['guidance', 'guide_key'],
    ['dimensions', 'dimension'],
  ] as const
  const ask = () => service.ask(getProjectSummary, asked)
  let summary: Awaited<ReturnType<typeof ask>>
  beforeAll(async () => {
    summary = await ask()
  })

  test.each(lists.map((one, column) => [...one, column] as const))('%s', async (list, filter, column) => {
    const entries = summary[list]
    expect(entries.length).toBeGreaterThan(3)
    for (const entry of entries.filter((_, row) => isTried(row, column, 2)))
      expect(await listedBy({ ...window, [filter]: entry.key })).toEqual(told(entry))
  })

  test('a reading whose key and value hold the sign between them', async () => {
    const { dimensions } = await service.ask(getProjectSummary, { top: 200, examples: 3 })
    const odd = dimensions.find(entry => entry.key === 'a=b=c=d')
    expect(await listedBy({ dimension: 'a=b=c=d' })).toEqual(told(odd!))
  })

  test('score bands', async () => {
    const { score_distribution: bands } = summary
    for (const band of bands) {
      // The highest band holds its upper bound.
      const upper = band.to === 5 ? { max_score: 5 } : { below_score: band.to }
      expect(await listedBy({ ...window, min_score: band.from, ...upper })).toEqual(told(band))
    }
  })

  test('lift bands', async () => {
    for (const [lift_band, band] of Object.entries(summary.lift_bands))
      expect(await listedBy({ ...window, lift_band })).toEqual(told(band))
  })
})

test('get_agent_performance: signals and guidance of each agent', async () => {
  const { agents } = await service.ask(getAgentPerformance, { ...asked, include_signals: true })
  expect(agents.length).toBeGreaterThan(3)
  for (const { agent_name, calls, signals = [], guidance = [] } of agents.slice(0, sized(2, 5))) {
    expect(await service.ask(searchCalls, { ...window, agent_name })).toMatchObject({ total: calls })
    for (const signal of signals)
      expect(await listedBy({ ...window, agent_name, signal_key: signal.key })).toEqual(told(signal))
    for (const entry of guidance)
      expect(await listedBy({ ...window, agent_name, guide_key: entry.key })).toEqual(told(entry))
  }
})

test('detect_changes: every change', async () => {
  const answer = await service.ask(detectChanges, {
    period: '2026-03-02 to 2026-03-08',
    baseline: '2026-02-16 to 2026-02-22',
    examples: 3,
  })
  const filters = {
    signal: (key: string) => ({ signal_key: key }),
    guidance: (key: string) => ({ guide_key: key }),
    driver: (key: string) => ({ driver: key }),
    dimension: (key: string) => ({ dimension: key }),
    score: (key: string) => ({ rated_on: key }),
    agent: (key: string) => ({ agent_name: key, rated_on: 'score' }),
  }
  const found = new Set(answer.changes.map(change => change.category))
  expect(found).toEqual(new Set(['signal', 'score', 'agent', 'driver', 'dimension', 'guidance']))
  for (const { category, key, occurrences, baseline_occurrences, example_session_ids } of answer.changes) {
    const gone = occurrences === 0
    const { from, to } = gone ? answer.baseline : answer.window
    const calls = gone ? baseline_occurrences : occurrences
    const found = await listedBy({ date_from: from, date_to: to, ...filters[category](key) })
    expect(found).toEqual({ calls, example_session_ids })
  }
})

test('rated_on lists the calls rated on a quality dimension, or on the whole', async () => {
  const { csat_calls, scored_calls } = await service.ask(getProjectSummary)
  expect(await service.ask(searchCalls, { rated_on: 'predicted_csat' })).toMatchObject({ total: csat_calls })
  expect(await service.ask(searchCalls, { rated_on: 'score' })).toMatchObject({ total: scored_calls })
  expect(await service.ask(searchCalls, { rated_on: 'no such dimension' })).toMatchObject({ total: 0 })
})

test('a reading not written key=value is refused with the form', async () => {
  await expect(service.ask(searchCalls, { dimension: 'high' })).rejects.toThrow(
    'must be written key=value, such as intent_clarity=high',
  )
})
