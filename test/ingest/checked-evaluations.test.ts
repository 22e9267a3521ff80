import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { importCalls } from '../../src/ingest/import-calls.js'
import { CallShelf } from '../support/call-shelf.js'

async function importing(...records: readonly object[]) {
  const base = { agent_name: 'Ann', created_dt: '2026-03-01T12:00:00.000Z' }
  const lines = records.map((record, i) => `${JSON.stringify({ session_id: `c${i}`, ...base, ...record })}\n`)
  const store = new CallShelf()
  const report = await importCalls({
    inputs: [{ name: 'calls.ndjson', stream: Readable.from(lines.map(line => Buffer.from(line))) }],
    projectId: 'p',
    store,
    workers: 0,
    redact: false,
    evaluate: undefined,
  })
  return { report, store, warnings: (report.warnings ?? []).map(({ warning, calls }) => `${calls} ${warning}`) }
}

const transcript = [{ turn: 0, actor: 'agent', text: 'Hello.' }]
const quote = 'Hello.'

describe('an evaluation that contradicts itself', () => {
  it.each([
    [
      'a value outside its range',
      {
        scores: [
          { key: 'empathy', value: 3, range: [1, 5] },
          { key: 'effort', value: 6, range: [1, 5] },
        ],
      },
      'scores[1].value must lie within its range',
    ],
    [
      'a signal in two states',
      {
        signals: [
          { key: 'sig.a', state: 'present' },
          { key: 'sig.b', state: 'absent' },
          { key: 'sig.a', state: 'absent' },
        ],
      },
      'signals[2].state must be "present" as in signals[0]: a signal has one state in a call',
    ],
  ])('is refused: %s', async (_what, record, error) => {
    const { report, store } = await importing(record, {})
    expect(report).toMatchObject({ received: 2, stored: 1, rejected: 1 })
    expect(report.errors.map(({ path, message }) => `${path} ${message}`)).toEqual([error])
    expect(store.ids).toEqual(['c1'])
  })

  it('may say a signal twice, and a value at the end of its range', async () => {
    const { report } = await importing({
      signals: [
        { key: 'sig.a', state: 'present' },
        { key: 'sig.a', state: 'present' },
      ],
      scores: [{ key: 'empathy', value: 5, range: [1, 5] }],
    })
    expect(report).toMatchObject({ stored: 1, rejected: 0 })
    expect(report).not.toHaveProperty('warnings')
  })

  it('gets the band that its lift makes', async () => {
    const { store, warnings } = await importing(
      { outcome_lift: { lift: 0.3 } },
      { outcome_lift: { lift: -0.3, lift_band: 'positive' } },
      { outcome_lift: { lift: 0.05, lift_band: 'neutral' } },
      { outcome_lift: { lift_band: 'positive' } },
      // Fitted here: without a band it can't be told from none.
      { outcome_lift: { lift: 0.3 }, evaluation: { evaluator: 'rules' } },
    )
    const bands = store.ids.map(id => store.record(id).outcome_lift?.lift_band)
    expect(bands).toEqual(['strong_positive', 'strong_negative', 'neutral', 'positive', undefined])
    expect(warnings).toEqual(['1 whose lift_band was not that of its lift: it was made anew'])
  })
})

describe('what is counted in warnings', () => {
  it.each([
    ['a signal', { signals: [{ key: 'sig.a', state: 'present', evidence: [{ turn: 1, quote }] }] }],
    ['guidance', { guidance: [{ key: 'guide.a', kind: 'excellence', evidence: [{ turn: 7, quote }] }] }],
    ['a condition', { conditions: [{ key: 'greeting', turn: 1, text: quote }] }],
  ])('is evidence at a turn that is not there: of %s', async (_what, record) => {
    const { report, warnings } = await importing({ ...record, transcript }, record, { transcript })
    expect(report).toMatchObject({ stored: 3, rejected: 0 })
    expect(warnings).toEqual(['1 with evidence at a turn that its transcript does not have'])
  })

  it('is a call that is dated after now, once however often it comes, and only when it is stored', async () => {
    const ahead = { created_dt: '2199-01-01T00:00:00.000Z' }
    const { report, warnings } = await importing(
      { ...ahead, session_id: 'x' },
      { ...ahead, session_id: 'x' },
      { ...ahead, score: 9 },
      {},
    )
    expect(report).toMatchObject({ stored: 2, duplicates: 1, rejected: 1, future_calls: 1 })
    expect(warnings).toEqual(['1 dated after now: it counts from then on, and in periods that reach so far'])
    expect((await importing({})).report).not.toHaveProperty('future_calls')
  })
})
