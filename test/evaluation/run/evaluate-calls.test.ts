import { describe, expect, it } from 'vitest'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { evaluateCalls, type EvaluateCallsOptions } from '../../../src/evaluation/run/evaluate-calls.js'
import type { CallRecord } from '../../../src/calls/call-record.js'
import { BATCH_CALLS, type Store } from '../../../src/store/store.js'
import { call, openStore, rows } from '../../store/duckdb/support.js'
import { aCall } from '../a-call.js'
import { isWhole } from '../../support/whole.js'

const transcript = aCall([
  'a: Thank you for calling Harbor Bank, my name is Ann, how can I help you?',
  'c: I would like to reset my password please',
  'a: Sure, happy to help with that. Your password is reset, I have sent you an email.',
  'c: Great, thank you, that is all.',
  'a: Anything else I can help with? Have a good day.',
]).transcript!

const rubric = { ...defaultRubric, verticals: [] }

function evaluate(store: Store, more: Partial<EvaluateCallsOptions> = {}) {
  return evaluateCalls({ store: store.calls, projectId: 'p', rubric, which: 'pending', workers: 0, ...more })
}

async function filled(records: readonly [string, Partial<CallRecord>][]) {
  const store = await openStore()
  await store.calls.upsert(
    'p',
    records.map(([id, fields]) => call(id, fields)),
  )
  return store
}

describe('an evaluation of pending calls', () => {
  it('fills the evaluated fields and what is derived from them, and leaves the rest of the record alone', async () => {
    const store = await filled([['s1', { transcript, title: 'A Title', session_metadata: { mine: [1] } }]])
    expect(await evaluate(store)).toMatchObject({ chosen: 1, evaluated: 1, not_evaluated: 0, compared: 0 })
    const [row] = await rows(
      store,
      `select score > 3, evaluation.evaluator, evaluation.rubric, title, session_metadata::varchar, len(transcript),
         list_contains(present_signals, 'sig.greeting_given'), signal_count = len(present_signals),
         contains(search_text, 'a title') and contains(search_text, 'harbor bank') and contains(search_text, lower(coaching_summary)),
         duration_s = talk_patterns.total_duration_s, interaction_driver from calls`,
    )
    expect(row).toEqual([
      true,
      'rules',
      'support-calls',
      'A Title',
      '{"mine":[1]}',
      5n,
      true,
      true,
      true,
      true,
      'reset password',
    ])
  })

  it('leaves records alone that bring an evaluation, or a score or signals without saying whose they are', async () => {
    const signals = [{ key: 'sig.x', state: 'present' as const }]
    const store = await filled([
      ['s1', { transcript, evaluation: { evaluator: 'imported' } }],
      ['s2', { transcript, score: 2 }],
      ['s3', { transcript, signals }],
      ['s4', { transcript, signals: [], trust: { reasons: [] } }],
    ])
    expect(await evaluate(store)).toMatchObject({ chosen: 1, evaluated: 1 })
    expect(await rows(store, "select session_id from calls where evaluation.evaluator = 'rules'")).toEqual([['s4']])
    expect(await evaluate(store, { which: 'all' })).toMatchObject({ chosen: 1, compared: 1, same: 1 })
    expect(await evaluate(store, { which: 'everything' })).toMatchObject({ chosen: 4, compared: 2 })
  })

  it('does nothing the second time, and says of what it can’t evaluate why', async () => {
    const store = await filled([
      ['s1', { transcript }],
      ['s2', {}],
    ])
    const reasons = [{ reason: 'The call has no transcript', calls: 1 }]
    expect(await evaluate(store)).toMatchObject({ chosen: 2, evaluated: 1, not_evaluated: 1, reasons })
    expect(await evaluate(store)).toMatchObject({ chosen: 1, evaluated: 0, not_evaluated: 1, reasons })
  })

  it('keeps why the import doubts a call, through every later evaluation', async () => {
    const doubt = 'The transcript does not say who the agent is'
    const store = await filled([['s1', { transcript, trust: { level: 'medium', reasons: [doubt] } }]])
    await evaluate(store)
    await evaluate(store, { which: 'all' })
    const found = await rows(
      store,
      `select trust.level, list_contains(trust.reasons, '${doubt}'), trust.score < 0.8,
       len(list_filter(conditions, lambda c: c.key = 'import.doubt')) from calls`,
    )
    expect(found).toEqual([['medium', true, true, 1n]])
  })

  it('takes a sample of the same calls each time, and evaluates other projects never', async () => {
    const store = await filled(Array.from({ length: 30 }, (_, n) => [`s${n}`, { transcript }]))
    await store.calls.upsert('q', [call('t1', { transcript })])
    expect(await evaluate(store, { sample: 7 })).toMatchObject({ chosen: 7, evaluated: 7 })
    expect(await rows(store, "select count(*) from calls where evaluation is not null and project_id = 'p'")).toEqual([
      [7n],
    ])
    expect(await evaluate(store)).toMatchObject({ chosen: 23, evaluated: 23 })
    expect(await rows(store, "select count(*) from calls where evaluation is not null and project_id = 'q'")).toEqual([
      [0n],
    ])
  })

  it('evaluates stale calls: those of another rubric or version', async () => {
    const store = await filled([['s1', { transcript }]])
    await evaluate(store)
    expect(await evaluate(store, { which: 'stale' })).toMatchObject({ chosen: 0 })
    const next = { ...rubric, version: 'project-1' }
    expect(await evaluate(store, { which: 'stale', rubric: next })).toMatchObject({ chosen: 1, evaluated: 1 })
    expect(await rows(store, 'select evaluation.rubric_version from calls')).toEqual([['project-1']])
  })

  it.runIf(isWhole)('can be ended at any time; the next run does the rest', async () => {
    const calls = 3 * BATCH_CALLS
    const store = await filled(Array.from({ length: calls }, (_, n) => [`s${n}`, { transcript }]))
    const abort = new AbortController()
    const onProgress = () => abort.abort(new Error('enough'))
    await expect(evaluate(store, { signal: abort.signal, onProgress })).rejects.toThrow('enough')
    const [[done]] = (await rows(store, 'select count(*) from calls where evaluation is not null')) as [[bigint]]
    expect(done).toBeGreaterThan(0n)
    expect(done).toBeLessThan(BigInt(calls))
    expect(await evaluate(store)).toMatchObject({ evaluated: calls - Number(done) })
  })

  it('does not write an evaluation of what was replaced meanwhile', async () => {
    const store = await filled([['s1', { transcript }]])
    const choice = { which: 'pending', rubric: 'r', rubricVersion: '1', before: Date.now() } as const
    const chosen = await store.calls.chooseToEvaluate('p', choice)
    const { calls } = await store.calls.toEvaluate('p', chosen, chosen.first)
    await store.calls.upsert('p', [call('s1', { transcript: transcript.slice(1) })])
    const json = JSON.stringify({ score: 1, evaluation: { evaluator: 'rules' } })
    expect(await store.calls.writeEvaluations('p', [{ ...calls[0]!, json }])).toBe(0)
    expect(await rows(store, 'select score, evaluation is null from calls')).toEqual([[null, true]])
  })
})
