import { beforeEach, describe, expect, it } from 'vitest'
import type { Threads } from '../../../src/admission/threads.js'
import { Overrun } from '../../../src/base/overrun.js'
import { createModelClient } from '../../../src/evaluation/model/model-client.js'
import type { ModelEndpoint } from '../../../src/evaluation/model/model-endpoint.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { compareEvaluators } from '../../../src/evaluation/run/compare-evaluators.js'
import { evaluateCalls, type EvaluateCallsOptions } from '../../../src/evaluation/run/evaluate-calls.js'
import { modelRuns } from '../../../src/evaluation/run/model-runs.js'
import type { ModelBudget } from '../../../src/evaluation/model/model-account.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { plainAnswer, type ModelServer } from '../../support/model-server.js'
import { call, openedOnce, rows } from '../../store/duckdb/support.js'
import { threadsHere } from '../../support/threads-here.js'
import { aServer, endpoint, goodCall } from '../model/support.js'

const rubric = { ...defaultRubric, verticals: [] }
const { transcript } = goodCall()

const opened = openedOnce(async () => undefined)
let store: DuckDbStore
/** Each test has its own. */
let project: string
let projects = 0
beforeEach(() => {
  store = opened()
  project = `p${(projects += 1)}`
})

async function filled(count: number): Promise<void> {
  await store.calls.upsert(
    project,
    Array.from({ length: count }, (_, n) => call(`s${n}`, { transcript, title: `call ${n}` })),
  )
}

interface Given extends Partial<EvaluateCallsOptions> {
  readonly budget?: ModelBudget
  readonly concurrency?: number
  readonly endpoint?: Partial<ModelEndpoint>
}

function modelOf(server: ModelServer, { budget, concurrency = 3, endpoint: more = {} }: Given) {
  const runs = modelRuns({
    setting: {
      client: createModelClient(endpoint(server, more)),
      concurrency,
      maxCharacters: 200_000,
      prices: undefined,
    },
    answers: store.modelAnswers,
    leases: store.leases,
    budget: {},
  })
  return runs.evaluator(project, rubric, budget)
}

function evaluate(server: ModelServer, given: Given = {}) {
  const evaluator = modelOf(server, given)
  return evaluateCalls({ store: store.calls, projectId: project, rubric, which: 'pending', evaluator, ...given })
}

/** Of the test's own calls. */
const own = async (selected: string, where = 'true') =>
  await rows(store, `select ${selected} from calls where project_id = $1 and ${where} order by all`, [project])
const evaluated = async () => await own('session_id', "evaluation.evaluator = 'model'")

describe('a run with a model', () => {
  it('does all but the asking in the threads that it is given', async () => {
    await filled(3)
    const server = await aServer(asked => ({ answer: plainAnswer(asked) }))
    const worked: string[] = []
    const threads: Threads = {
      run: async (work, task, turn) => {
        worked.push(`${work.name} for ${turn.requester.key}`)
        return await threadsHere.run(work, task, turn)
      },
    }
    const requester = { project: 'p', key: 'ann' }
    const report = await evaluate(server, { shared: { threads, requester } })
    expect(report).toMatchObject({ evaluated: 3, model: { requests: 3 } })
    expect(worked.toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'concludeFromModel for ann'),
      ...Array.from({ length: 3 }, () => 'prepareForModel for ann'),
    ])
  })

  it('evaluates no call whose reading takes too much, and says so', async () => {
    await filled(1)
    const server = await aServer(asked => ({ answer: plainAnswer(asked) }))
    const threads: Threads = { run: () => Promise.reject(new Overrun('took more than 60 s')) }
    const report = await evaluate(server, { shared: { threads, requester: { project: 'p', key: 'ann' } } })
    expect(report).toMatchObject({ evaluated: 0, reasons: [{ reason: 'Evaluating it took more than 60 s', calls: 1 }] })
  })

  it('evaluates what is pending, so many at a time, and says what it used', async () => {
    await filled(12)
    // Nothing is answered before three ask at a time: that they do must not hang on how long an answer takes.
    const server: ModelServer = await aServer(async asked => {
      await server.untilUnderWay(3)
      return { answer: plainAnswer(asked) }
    })
    const report = await evaluate(server)
    expect(report).toMatchObject({ evaluator: 'model', chosen: 12, evaluated: 12, not_evaluated: 0 })
    expect(report.model).toEqual({
      name: 'test-model',
      requests: 12,
      cached: 0,
      input_tokens: 12_000,
      output_tokens: 1_200,
      unquoted: 0,
      failed: 0,
      flagged: 0,
    })
    expect(server.most).toBe(3)
    expect(await own('count(*), min(score) > 3, bool_and(len(present_signals) > 3)')).toEqual([[12n, true, true]])
    // All is there; a second time nothing is asked, and everything again costs nothing.
    expect(await evaluate(server)).toMatchObject({ chosen: 0 })
    expect(await evaluate(server, { which: 'all' })).toMatchObject({
      evaluated: 12,
      same: 12,
      model: { requests: 0, cached: 12 },
    })
  })

  it('pays for no call twice where two runs go on at once, and each says what the other has', async () => {
    await filled(6)
    const server: ModelServer = await aServer(async asked => {
      await server.untilUnderWay(4)
      return { answer: plainAnswer(asked) }
    })
    const [one, other] = await Promise.all([evaluate(server, { concurrency: 2 }), evaluate(server, { concurrency: 2 })])
    expect(server.asked).toHaveLength(6)
    expect(one.evaluated + other.evaluated).toBe(6)
    expect(one.model!.requests + other.model!.requests).toBe(6)
    for (const { evaluated: done, not_evaluated: left, reasons, model } of [one, other]) {
      expect(done).toBeGreaterThan(0)
      expect(model?.failed).toBe(0)
      expect(left === 0 ? [] : reasons.map(({ reason }) => reason)).toEqual(
        left === 0 ? [] : ['Another run is asking the model about it'],
      )
    }
    expect(await evaluated()).toHaveLength(6)
  })

  it('stops within its budget, and the next run goes on', async () => {
    await filled(7)
    const server = await aServer()
    const first = await evaluate(server, { budget: { calls: 5 } })
    expect(first).toMatchObject({ chosen: 7, evaluated: 5, not_evaluated: 0 })
    expect(first.model?.stopped).toEqual({ reason: 'The budget of the run is spent', failed: false })
    expect(await evaluated()).toHaveLength(5)
    expect(await evaluate(server, { budget: { calls: 5 } })).toMatchObject({ chosen: 2, evaluated: 2 })
    expect(server.asked).toHaveLength(7)
  })

  it('leaves a call without an evaluation that brings none, and evaluates the others', async () => {
    await filled(4)
    await store.calls.upsert(project, [
      call('none'),
      call('bad', { transcript: [{ turn: 0, actor: 'agent', text: 'trouble, hello there' }] }),
    ])
    const server = await aServer(asked =>
      asked.turns.some(({ text }) => text.includes('trouble')) ? { declined: 'No.' } : { answer: plainAnswer(asked) },
    )
    expect(await evaluate(server)).toMatchObject({
      chosen: 6,
      evaluated: 4,
      not_evaluated: 2,
      reasons: expect.arrayContaining([
        { reason: 'The call has no transcript', calls: 1 },
        { reason: 'The model declined to answer', calls: 1 },
      ]) as object,
    })
  })

  it.each([
    ['a wrong key', { status: 401 }, 'The model’s endpoint refuses the key (401): check EARSHOT_MODEL_API_KEY', 3],
    [
      'an endpoint that is down',
      { status: 503 },
      '8 calls in a row brought no evaluation, the last one because: The model’s endpoint failed (503)',
      24,
    ],
    ['a model that can’t do it', { text: 'Nice call!' }, /^8 calls in a row .* can’t be read/, 24],
  ] as const)('ends early for %s, instead of asking for every call', async (_, reply, reason, most) => {
    await filled(25)
    const server = await aServer(() => reply)
    const report = await evaluate(server)
    expect(report).toMatchObject({ chosen: 25, evaluated: 0 })
    expect(report.model?.stopped?.failed).toBe(true)
    expect(report.model?.stopped?.reason).toMatch(reason)
    expect(server.asked.length).toBeLessThanOrEqual(most)
  })

  it('can be ended while requests are under way, at once; the next run does the rest', async () => {
    await filled(10)
    let slow = true
    const server = await aServer((asked, count) => {
      return slow && count > 4 ? new Promise(() => undefined) : { answer: plainAnswer(asked) }
    })
    const abort = new AbortController()
    const run = evaluate(server, {
      signal: abort.signal,
      onProgress: ({ done }) => {
        if (done >= 4) abort.abort(new Error('enough'))
      },
    })
    await expect(run).rejects.toThrow('enough')
    expect(await evaluated()).toHaveLength(4)
    slow = false
    expect(await evaluate(server)).toMatchObject({ chosen: 6, evaluated: 6 })
    // Four, those that were under way when it ended, and six.
    expect(server.asked.length).toBeLessThanOrEqual(4 + 3 + 6)
  })

  it('writes nothing over a call that was replaced meanwhile', async () => {
    await filled(1)
    const server = await aServer(async (asked, count) => {
      const other = [{ turn: 0, actor: 'agent', text: 'Hello again' }]
      if (count === 1) await store.calls.upsert(project, [call('s0', { transcript: other })])
      return { answer: plainAnswer(asked) }
    })
    // The next look evaluates what is there then.
    expect(await evaluate(server)).toMatchObject({ evaluated: 1 })
    expect(await own('signals[1].evidence[1].quote')).toEqual([['Hello again']])
  })
})

describe('a comparison with the rules', () => {
  it('says how far they agree, leaves the calls as they are, and keeps what was paid for', async () => {
    await filled(9)
    await evaluateCalls({ store: store.calls, projectId: project, rubric, which: 'pending', workers: 0 })
    const before = await own('session_id, hash(calls)::varchar')
    const server = await aServer()
    const found = await compareEvaluators({
      store: store.calls,
      projectId: project,
      rubric,
      sample: 5,
      evaluator: modelOf(server, {}),
    })
    expect(found).toMatchObject({ sample: 5, compared: 5, model: { requests: 5 }, score: { n: 5 } })
    expect(found.signals.find(({ key }) => key === 'sig.greeting_given')).toMatchObject({ n: 5, agreement: 1 })
    expect(found.signals.map(({ key }) => key)).not.toContain('sig.dead_air')
    // Where they agree there is nothing to show; where they differ, what each says and by which words.
    expect(found.signals.find(({ key }) => key === 'sig.greeting_given')?.examples).toEqual([])
    const named = found.signals.find(({ key }) => key === 'sig.brand_named')
    expect(named).toMatchObject({ only_one: 0, only_other: 5 })
    expect(named?.examples).toHaveLength(5)
    expect(named?.examples[0]).toMatchObject({
      session_id: expect.stringMatching(/^s\d$/) as string,
      one: { state: 'absent', quotes: [] },
      other: { state: 'present', quotes: [{ turn: 0, quote: expect.stringContaining('Harbor Bank') as string }] },
    })
    expect(await own('session_id, hash(calls)::varchar')).toEqual(before)
    expect(await evaluate(server, { which: 'all' })).toMatchObject({
      evaluated: 9,
      model: { requests: 4, cached: 5 },
    })
  })
})
