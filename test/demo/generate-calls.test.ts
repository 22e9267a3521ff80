import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { evaluatedFieldNames } from '../../src/calls/evaluated-fields.js'
import { builtInCatalogs } from '../../src/evaluation/rubric/rubric-catalogs.js'
import { type GenerateOptions, generateCalls, type GenerateReport } from '../../src/demo/generate-calls.js'
import { prepareRecord } from '../../src/ingest/prepare-record.js'

const end = new Date('2026-03-01T00:00:00Z')

function hashOf(options: GenerateOptions): string {
  const hash = createHash('sha256')
  for (const line of generateCalls({ end, ...options }).lines) hash.update(line)
  return hash.digest('hex')
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('generateCalls', () => {
  let calls: readonly CallRecord[]
  let report: GenerateReport

  beforeAll(() => {
    const generated = generateCalls({ calls: 2_000, seed: 42, end })
    calls = [...generated.lines].map(line => JSON.parse(line) as CallRecord)
    report = generated.report()
  })

  /** The calls from an instant on, and those before it. */
  const split = (from: string) => ({
    before: calls.filter(call => call.created_dt < from),
    after: calls.filter(call => call.created_dt >= from),
  })
  const planted = (kind: string) => report.planted.find(fact => fact.kind === kind)!

  // What demos hold, tests count and docs/benchmarks.md measures: whoever changes it changes these.
  it.each([
    [{ calls: 3_000, seed: 7, unevaluated: true }, '055866382303db9964aff99f9e79c281e372810982f7e132527a35edd113e2b8'],
    [{ calls: 400, seed: 1 }, 'e7c389749ea488fc51a6a3e21f6972fa4c1922ad8b7809d93443812d60f28538'],
    [
      { calls: 300, seed: 3, agents: 4, days: 30, extraSignals: 40 },
      'a1b5b29dcd739f6be1f6f81eb3035bd3dac7e7f6faba58da3ffdaa57edf90fc7',
    ],
  ])('makes the bytes it always made: %o', (options, hash) => {
    expect(hashOf({ end: new Date('2026-03-15T12:00:00Z'), ...options })).toBe(hash)
  })

  it('makes the same bytes for the same seed, options and end', () => {
    expect(hashOf({ calls: 300, seed: 7 })).toBe(hashOf({ calls: 300, seed: 7 }))
    expect(hashOf({ calls: 300, seed: 8 })).not.toBe(hashOf({ calls: 300, seed: 7 }))
    expect(hashOf({ calls: 300, seed: 7, agents: 5 })).not.toBe(hashOf({ calls: 300, seed: 7 }))
  })

  it('makes records that import takes as they are', () => {
    for (const call of calls) {
      const json = JSON.stringify(call)
      expect(prepareRecord(call)).toMatchObject({ record: { json }, removed: 0 })
    }
  })

  it('makes as many calls as asked, in order of time, within the days before the end', () => {
    const times = calls.map(call => call.created_dt)
    expect(calls).toHaveLength(2_000)
    expect(times).toEqual([...times].sort())
    expect(times[0]! >= report.from && times.at(-1)! < report.end).toBe(true)
    expect(new Set(calls.map(call => call.session_id)).size).toBe(2_000)
  })

  it('defaults to 12 agents over the 90 days before today', () => {
    const { lines, report: reported } = generateCalls({ calls: 500, seed: 1 })
    const agents = new Set([...lines].map(line => (JSON.parse(line) as CallRecord).agent_name))
    expect(agents.size).toBe(12)
    expect(reported()).toMatchObject({ days: 90, agents: 12, end: expect.stringMatching(/T00:00:00\.000Z$/) })
  })

  it('has transcripts of 8 to 40 turns, and quotes what they say', () => {
    for (const { transcript = [], signals = [], guidance = [] } of calls) {
      expect(transcript.length).toBeGreaterThanOrEqual(8)
      expect(transcript.length).toBeLessThanOrEqual(40)
      for (const { turn, quote } of [...signals, ...guidance].flatMap(entry => entry.evidence ?? [])) {
        expect(transcript[turn]?.text).toContain(quote)
      }
      expect(transcript.map(({ text }) => text).join(' ')).not.toMatch(/[{}]|undefined/)
    }
  })

  it('names only signals and guidance of the catalogs', () => {
    for (const { signals = [], guidance = [] } of calls) {
      for (const { key } of signals) expect(builtInCatalogs.signals.has(key)).toBe(true)
      for (const { key, kind } of guidance) expect(builtInCatalogs.guidance.get(key)?.guidance_kind).toBe(kind)
    }
  })

  it('adds signals beside those of the catalogs when asked, and changes nothing else', () => {
    const options = { calls: 300, seed: 42, end }
    const plain = [...generateCalls(options).lines].map(line => JSON.parse(line) as CallRecord)
    const more = [...generateCalls({ ...options, extraSignals: 120 }).lines].map(line => JSON.parse(line) as CallRecord)
    const isExtra = ({ key }: { key: string }) => key.startsWith('sig.extra_')
    const without = (call: CallRecord) => ({ ...call, signals: call.signals?.filter(signal => !isExtra(signal)) })
    expect(more.map(without)).toEqual(plain)
    const keys = more.map(call => (call.signals ?? []).filter(isExtra).map(({ key }) => key))
    expect(new Set(keys.flat()).size).toBe(120)
    expect(keys.every(own => own.length >= 4 && new Set(own).size === own.length)).toBe(true)
    for (const call of more) expect(prepareRecord(call)).toMatchObject({ removed: 0 })
  })

  it('leaves out what an evaluation finds when asked, and makes the same calls', () => {
    const options = { calls: 300, seed: 42, end }
    const read = (lines: Iterable<string>) => [...lines].map(line => JSON.parse(line) as CallRecord)
    const whole = read(generateCalls(options).lines)
    const bare = generateCalls({ ...options, unevaluated: true })
    const evaluated = new Set<string>([...evaluatedFieldNames, 'outcome_lift'])
    const without = (call: CallRecord) =>
      Object.fromEntries(Object.entries(call).filter(([key]) => !evaluated.has(key)))
    const calls = read(bare.lines)
    expect(calls).toEqual(whole.map(without))
    for (const call of calls) expect(prepareRecord(call)).toMatchObject({ removed: 0 })
    expect(bare.report().planted.map(({ measure }) => measure)).toContain('planned mean score')
  })

  it('has no words for extra signals, so none for calls that are not evaluated', () => {
    expect(() => generateCalls({ calls: 10, seed: 1, unevaluated: true, extraSignals: 5 })).toThrow(/no words say them/)
  })

  it('says how each agent talks, and has every manner', () => {
    const { manners } = report
    expect(new Set(manners.map(({ agent }) => agent))).toEqual(new Set(calls.map(call => call.agent_name)))
    expect(new Set(manners.map(({ manner }) => manner)).size).toBe(7)
    const changed = manners.filter(({ from }) => from !== undefined)
    expect(changed).toMatchObject([{ agent: planted('agent_declined').key, from: planted('agent_declined').from }])
  })

  it('varies: drivers, channels, directions, languages, bands', () => {
    const values = (pick: (call: CallRecord) => unknown) => new Set(calls.map(pick))
    expect(values(call => call.interaction_driver).size).toBe(15)
    expect(values(call => call.channel).size).toBe(2)
    expect(values(call => call.interaction_direction).size).toBe(2)
    expect(values(call => call.language_primary).size).toBe(3)
    expect(values(call => call.outcome_lift?.lift_band).size).toBeGreaterThanOrEqual(3)
  })

  it('plants an agent who declined, and reports by how much', () => {
    const { key, from, before, after, calls_before } = planted('agent_declined')
    const mine = (side: readonly CallRecord[]) =>
      side.filter(call => call.agent_name === key).map(call => call.score ?? Number.NaN)
    const { before: earlier, after: later } = split(from)
    expect(mine(earlier)).toHaveLength(calls_before)
    expect(mean(mine(earlier))).toBeCloseTo(before!, 3)
    expect(mean(mine(later))).toBeCloseTo(after!, 3)
    expect(before! - after!).toBeGreaterThan(0.8)
    const others = (side: readonly CallRecord[]) =>
      mean(side.filter(call => call.agent_name !== key).map(call => call.score ?? Number.NaN))
    expect(Math.abs(others(earlier) - others(later))).toBeLessThan(0.15)
  })

  it('plants a driver that rose in the last week', () => {
    const { key, from, to, before, after } = planted('driver_rose')
    const share = (side: readonly CallRecord[]) =>
      side.filter(call => call.interaction_driver === key).length / side.length
    expect(Date.parse(to) - Date.parse(from)).toBe(7 * 86_400_000)
    expect(share(split(from).before)).toBeCloseTo(before!, 3)
    expect(share(split(from).after)).toBeCloseTo(after!, 3)
    expect(after!).toBeGreaterThan(2 * before!)
  })

  it('plants a signal that vanished', () => {
    const { key, from, before } = planted('signal_vanished')
    const share = (side: readonly CallRecord[]) =>
      side.filter(call => call.signals?.some(signal => signal.key === key && signal.state === 'present')).length /
      side.length
    expect(share(split(from).before)).toBeCloseTo(before!, 3)
    expect(before!).toBeGreaterThan(0.5)
    expect(share(split(from).after)).toBe(0)
  })

  it.each([{ calls: 0 }, { calls: 1.5 }, { days: 7 }, { agents: 1 }, { seed: Number.NaN }])('refuses %j', wrong => {
    expect(() => generateCalls({ calls: 10, seed: 1, ...wrong })).toThrow(/must be a whole number from/)
  })
})
