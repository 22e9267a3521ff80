import { describe, expect, it } from 'vitest'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { evaluateBatch } from '../../src/evaluation/run/evaluate-batch.js'
import { evaluateIncoming } from '../../src/evaluation/run/evaluate-incoming.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { evaluatedFieldNames } from '../../src/calls/evaluated-fields.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import { aCall } from '../evaluation/a-call.js'
import { preparePieces } from '../../src/ingest/prepare-pieces.js'
import { importingFiles } from '../support/importing-files.js'
import { movedClock } from '../support/slow-rules.js'

const rubric = { ...defaultRubric, verticals: [] }

const call = (id: string, more: Partial<CallRecord> = {}) =>
  aCall(['a: Thank you for calling, how can I help you?', 'c: I want to pay a bill', 'a: Sure. Your bill is paid.'], {
    session_id: id,
    ...more,
  })

const lines = (calls: readonly object[]) => calls.map(one => `${JSON.stringify(one)}\n`).join('')

/** A generated call as a system without an evaluation would have it. */
function bare(line: string): CallRecord {
  const record = JSON.parse(line) as CallRecord & Record<string, unknown>
  const { outcome_lift: _, ...rest } = record
  for (const name of evaluatedFieldNames) if (name !== 'interaction_driver') delete rest[name]
  return rest
}

/** An evaluation without the instant at which it was made. */
function withoutInstant(record: Readonly<Record<string, unknown>> | undefined): object {
  const { evaluation, ...rest } = JSON.parse(JSON.stringify(record)) as { evaluation: { evaluated_at?: string } }
  delete evaluation.evaluated_at
  return { ...rest, evaluation }
}

describe('an import that evaluates', () => {
  it('evaluates calls that bring nothing of the kind, and leaves the others as they are', async () => {
    const own = { score: 2.5, evaluation: { evaluator: 'imported' } }
    const signals = [{ key: 'sig.x', state: 'present' as const }]
    const calls = [call('a'), call('b', own), call('c', { signals }), call('d', { signals: [], transcript: [] })]
    const { store, report } = await importingFiles({ 'calls.ndjson': lines(calls) }, { evaluate: rubric })
    expect(report).toMatchObject({
      stored: 4,
      evaluation: { evaluated: 1, not_evaluated: 1, reasons: [{ reason: 'The call has no transcript', calls: 1 }] },
    })
    expect(store.record('a')).toMatchObject({
      score: expect.any(Number) as number,
      interaction_driver: 'pay bill',
      evaluation: { evaluator: 'rules', rubric: 'support-calls', rubric_version: defaultRubric.version },
    })
    expect(store.record('b')).toMatchObject(own)
    expect(store.record('c')).toMatchObject({ signals, evaluation: { evaluator: 'imported' } })
    expect(store.record('d')).not.toHaveProperty('evaluation')
  })

  it('writes the same behind a record that is stored as it came and in one that is written anew', async () => {
    const lines = [...generateCalls({ calls: 60, seed: 3, end: new Date('2026-03-01T00:00:00Z') }).lines]
    const more: readonly Partial<CallRecord>[] = [
      { talk_patterns: { total_duration_s: 9 } },
      { interaction_driver: 'pay bill', title: 'Zoë’s “bill”' },
      { trust: { reasons: ['Who is who was guessed'] }, conditions: [] },
      { outcome_lift: { p_context: 0.5 } },
      { transcript: [] },
    ]
    const calls = [...lines.map(bare), ...more.map((one, at) => call(String(at), one))]
    const evaluator = new RulesEvaluator(rubric)
    const rules = () => ({ evaluate: (one: CallRecord) => evaluator.evaluate(one, new Date(0)) })
    const written = async (start: string) => {
      const bytes = Buffer.from(calls.map(one => `${start}${JSON.stringify(one).slice(1)}\n`).join(''))
      const piece = { kind: 'lines', file: 'f', line: 1, at: '', bytes, unended: false } as const
      const reading = { redact: false, mapping: [], agentSpeakers: [], timeZone: undefined } as const
      const { records } = await preparePieces({ format: 'call-records', reading, pieces: [piece] }, rules)
      return records.map(({ json, ...rest }) => ({ ...rest, json: Buffer.from(json).toString() }))
    }
    const asItCame = await written('{')
    expect(asItCame.filter(({ evaluated }) => evaluated === true)).toHaveLength(calls.length - 1)
    expect(asItCame).toEqual(await written('{ '))
  })

  it('does not count what making the rules ready takes as time of the calls', async () => {
    const wait = movedClock()
    const made = () => {
      wait(60_000)
      return new RulesEvaluator(rubric)
    }
    const bytes = Buffer.from(lines([call('a'), call('b')]))
    const piece = { kind: 'lines', file: 'f', line: 1, at: '', bytes, unended: false } as const
    const reading = { redact: false, mapping: [], agentSpeakers: [], timeZone: undefined } as const
    let rules: RulesEvaluator | undefined
    const { records } = await preparePieces(
      { format: 'call-records', reading, pieces: [piece] },
      () => (rules ??= made()),
    )
    expect(records.map(({ evaluated }) => evaluated)).toEqual([true, true])
  })

  it('says nothing of evaluation when it is to leave calls as they are', async () => {
    const { store, report } = await importingFiles({ 'calls.ndjson': lines([call('a')]) }, { evaluate: undefined })
    expect(report).not.toHaveProperty('evaluation')
    expect(store.record('a')).not.toHaveProperty('evaluation')
  })

  it.each([0, 2])('comes to the same as evaluating stored calls (%i workers)', async workers => {
    const calls = [...generateCalls({ calls: 60, seed: 4, end: new Date('2026-03-01') }).lines].map(bare)
    const { store, report } = await importingFiles({ 'calls.ndjson': lines(calls) }, { evaluate: rubric, workers })
    expect(report.evaluation).toMatchObject({ evaluated: 60, not_evaluated: 0 })
    const later = evaluateBatch(rubric, { calls: calls.map(one => JSON.stringify(one)), at: 0 })
    for (const [at, one] of calls.entries()) {
      const found = later[at]!
      if (!('json' in found)) throw new Error('not evaluated')
      const kept = store.record(one.session_id)
      const evaluated = Object.fromEntries(evaluatedFieldNames.map(name => [name, kept[name]]))
      expect(withoutInstant(evaluated)).toEqual(withoutInstant(JSON.parse(found.json) as Record<string, unknown>))
      expect(kept).toMatchObject({ transcript: one.transcript, title: one.title })
    }
  })

  it('evaluates what is masked, not what was said', async () => {
    const said = call('a', { transcript: [{ turn: 0, actor: 'agent', text: 'Hello, my mail is ann@example.com' }] })
    const { store } = await importingFiles({ 'calls.ndjson': lines([said]) }, { evaluate: rubric, redact: true })
    expect(JSON.stringify(store.record('a'))).not.toContain('ann@example.com')
    expect(store.record('a')).toHaveProperty('evaluation')
  })

  it('keeps why the format doubts a call', async () => {
    const vtt =
      'WEBVTT\n\n00:01.000 --> 00:03.000\n<v A>Hello, how can I help you?\n\n00:04.000 --> 00:06.000\n<v B>I lost my card\n'
    const { store, report } = await importingFiles(
      { 'call.vtt': vtt },
      { evaluate: rubric, map: ['agent_name="Ann"', 'created_dt="2026-03-01T12:00:00Z"'] },
    )
    expect(report.errors).toEqual([])
    const kept = store.record(store.ids[0]!)
    expect(kept.conditions?.some(({ key }) => key === 'import.doubt')).toBe(true)
    expect(kept.trust?.level).not.toBe('high')
  })
})

describe('a fault of the evaluator', () => {
  const at = new Date(0)

  it('costs the call its evaluation, and is said', () => {
    const faulty = {
      evaluate: () => {
        throw new TypeError('boom')
      },
    }
    expect(evaluateIncoming(() => faulty, call('a'), at)).toEqual({ none: 'The rules failed on it (TypeError)' })
  })

  it('is none for calls that keep their own', () => {
    const evaluator = new RulesEvaluator(rubric)
    expect(evaluateIncoming(() => evaluator, call('a', { predicted_csat: 3 }), at)).toBeUndefined()
    expect(evaluateIncoming(() => evaluator, call('a', { dimensions: [{ key: 'x', value: 'y' }] }), at)).toBeUndefined()
    expect(evaluateIncoming(() => evaluator, call('a', { trust: { reasons: [] } }), at)?.fields).toBeDefined()
  })
})
