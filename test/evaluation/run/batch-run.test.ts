import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { BATCH_LIMITS } from '../../../src/evaluation/model/batch-client.js'
import { createBatchClient } from '../../../src/evaluation/model/create-batch-client.js'
import { createModelClient } from '../../../src/evaluation/model/model-client.js'
import type { ModelEndpoint } from '../../../src/evaluation/model/model-endpoint.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { evaluateCalls } from '../../../src/evaluation/run/evaluate-calls.js'
import { type BatchWork, modelRuns } from '../../../src/evaluation/run/model-runs.js'
import type { Leases } from '../../../src/store/leases.js'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { call, rows } from '../../store/duckdb/support.js'
import { BatchServer } from '../../support/batch-server.js'
import { beginStore } from '../../support/begun-store.js'
import { plainAnswer } from '../../support/model-server.js'
import { endpoint, goodCall } from '../model/support.js'

const rubric = { ...defaultRubric, verticals: [] }
const { transcript = [] } = goodCall()

/** A transcript of its own. */
const saying = (text: string) => [...transcript, { turn: transcript.length, actor: 'customer' as const, text }]

let store: DuckDbStore
let project = 'p0'
let projects = 0

const dataDir = mkdtempSync(join(tmpdir(), 'earshot-batches-'))

beforeAll(async () => {
  await beginStore(dataDir)
  store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 1 })
})

afterAll(async () => {
  await store.close()
  rmSync(dataDir, { recursive: true })
})

beforeEach(() => {
  projects += 1
  project = `p${projects}`
})

async function filled(count: number): Promise<void> {
  await store.calls.upsert(
    project,
    Array.from({ length: count }, (_, n) => call(`s${n}`, { transcript: saying(`My number is ${n}.`) })),
  )
}

async function aBatchServer(...brain: Parameters<typeof BatchServer.start>): Promise<BatchServer> {
  const server = await BatchServer.start(...brain)
  onTestFinished(() => server.stop())
  return server
}

interface Given extends Partial<ModelEndpoint> {
  readonly limits?: typeof BATCH_LIMITS
  readonly leases?: Leases
}

function runsOf(server: Pick<BatchServer, 'url'>, { limits, leases = store.leases, ...more }: Given = {}) {
  const asked = endpoint(server, { attempts: 3, ...more })
  return modelRuns({
    setting: {
      client: createModelClient(asked),
      concurrency: 3,
      maxCharacters: 200_000,
      prices: { input: 1, output: 10 },
    },
    batching: {
      client: createBatchClient(asked),
      store: store.modelBatches,
      lookMs: 1,
      ...(limits !== undefined && { limits }),
    },
    answers: store.modelAnswers,
    leases,
    budget: {},
  })
}

const runOf =
  (server: Pick<BatchServer, 'url'>, more: Given = {}) =>
  (given: Partial<BatchWork> = {}) =>
    runsOf(server, more).inBatches({
      store: store.calls,
      projectId: project,
      rubric,
      which: 'pending',
      wait: true,
      signal: new AbortController().signal,
      ...given,
    })

const evaluated = async () =>
  (
    await rows(
      store,
      `select session_id from calls where project_id = '${project}' and evaluation.evaluator = 'model' order by session_id`,
    )
  ).flat()

const sends = (server: BatchServer) =>
  server.calls.filter(one => one === 'POST /batches' || one === 'POST /messages/batches').length

describe.each(['openai', 'anthropic'] as const)('batches of %s', kind => {
  it('evaluate what is pending at half the price, whatever the order of the results, and leave nothing with the provider', async () => {
    await filled(5)
    const server = await aBatchServer()
    const run = runOf(server, { kind })
    const report = await run()
    expect(report).toMatchObject({
      evaluator: 'model',
      chosen: 5,
      evaluated: 5,
      not_evaluated: 0,
      batches: { sent: 1, requests: 5, settled: 1, waiting: 0, elsewhere: 0, unreadable: 0 },
      // 5,000 tokens at 1 a million and 500 at 10, by half.
      model: { requests: 5, input_tokens: 5_000, output_tokens: 500, cost: 0.005, failed: 0 },
    })
    expect(await evaluated()).toEqual(['s0', 's1', 's2', 's3', 's4'])
    // Each has the answer about itself.
    expect(
      await rows(
        store,
        `select count(*) from calls where project_id = '${project}' and trust.score > 0.5
           and list_contains(present_signals, 'sig.help_offered')`,
      ),
    ).toEqual([[5n]])
    expect([...server.files.keys()]).toEqual([])
    expect(server.deleted).toHaveLength(kind === 'anthropic' ? 1 : 0)
    expect(server.calls.some(path => path.includes('s0'))).toBe(false)
    expect(JSON.stringify(server.asked)).not.toContain('"s0"')
    // What was answered is kept: all again costs nothing.
    expect(await run({ which: 'all' })).toMatchObject({
      evaluated: 5,
      same: 5,
      batches: { sent: 0 },
      model: { requests: 0, cached: 5 },
    })
  })

  it('tell what expired, what was refused, what is missing and what can’t be read; the next run sends just these', async () => {
    await filled(6)
    let mended = false
    const server = await aBatchServer(asked => {
      const [, number] = /My number is (\d)/.exec(asked.user) ?? []
      if (!mended && number === '1') return { expired: true }
      if (!mended && number === '2') return { refused: 400, message: 'no such parameter sk-very-secret' }
      if (!mended && number === '3') return { line: '{"custom_id": "half' }
      if (!mended && number === '4') return { text: 'Nice call!' }
      if (!mended && number === '5') return { lost: true }
      return { answer: plainAnswer(asked) }
    })
    const run = runOf(server, { kind })
    const report = await run()
    expect(report).toMatchObject({ chosen: 6, evaluated: 1, not_evaluated: 5, batches: { unreadable: 1 } })
    const reasons = report.reasons.map(({ reason, calls }) => `${calls} ${reason}`).toSorted()
    expect(reasons).toEqual([
      expect.stringMatching(/^1 The model’s answer can’t be read/),
      expect.stringMatching(
        /^1 The (model’s endpoint refuses the request|provider could not ask).*: no such parameter \[key\]$/,
      ),
      '1 The provider did not get to it within the hours of its batch: the next run sends it again',
      '2 Its batch ended without an answer about it: the next run sends it again',
    ])
    expect(report.model?.failed).toBe(5)
    mended = true
    expect(await run()).toMatchObject({ chosen: 5, evaluated: 5, batches: { sent: 1, requests: 5 } })
  })

  it('are found again by another run, which sends nothing twice', async () => {
    await filled(4)
    const server = await aBatchServer()
    server.looksToEnd = Infinity
    const run = runOf(server, { kind })
    expect(await run({ wait: false })).toMatchObject({ evaluated: 0, batches: { sent: 1, requests: 4, waiting: 4 } })
    await store.calls.upsert(project, [call('new', { transcript: saying('And I am new.') })])
    server.looksToEnd = 1
    // The four wait, and one is new.
    expect(await run()).toMatchObject({
      chosen: 5,
      evaluated: 5,
      batches: { sent: 1, requests: 1, settled: 2, waiting: 0 },
    })
    expect(sends(server)).toBe(2)
    expect(await evaluated()).toHaveLength(5)
  })

  it('hold calls that a run which asks one by one leaves, and leave those that it asks about', async () => {
    await filled(3)
    const server = await aBatchServer()
    server.looksToEnd = Infinity
    expect(await runOf(server, { kind })({ wait: false })).toMatchObject({ batches: { sent: 1, waiting: 3 } })
    const oneByOne = await evaluateCalls({
      store: store.calls,
      projectId: project,
      rubric,
      which: 'pending',
      evaluator: runsOf(server, { kind }).evaluator(project, rubric),
    })
    const reason = 'It is with the provider in a batch: evaluate --batch takes the answer over'
    expect(oneByOne).toMatchObject({
      evaluated: 0,
      reasons: [{ reason, calls: 3 }],
      model: { requests: 0, failed: 0 },
    })
    await store.calls.upsert(project, [call('new', { transcript: saying('And I am new.') })])
    // As if somebody asked about every call just now.
    const leases: Leases = {
      take: name => store.leases.take(name),
      claim: async () => undefined,
      held: prefix => store.leases.held(prefix),
    }
    server.looksToEnd = 1
    expect(await runOf(server, { kind, leases })()).toMatchObject({
      evaluated: 3,
      reasons: [{ reason: 'Another run is asking the model about it', calls: 1 }],
      batches: { sent: 0, settled: 1 },
    })
    expect(await runOf(server, { kind })()).toMatchObject({ evaluated: 1, batches: { sent: 1 } })
    expect(await store.leases.held('model-question:')).toEqual(new Set())
  })

  it('whose name was lost on the way are looked for, not sent again', async () => {
    await filled(3)
    const server = await aBatchServer()
    const made = kind === 'openai' ? 'POST /batches' : 'POST /messages/batches'
    server.troubles.push({ at: made, lost: true })
    expect(await runOf(server, { kind })()).toMatchObject({ evaluated: 3, batches: { sent: 1 } })
    expect(sends(server)).toBe(1)
    // Also where the run ended before it could look.
    await store.calls.upsert(project, [call('new', { transcript: saying('And I am new.') })])
    server.troubles.push({ at: made, lost: true })
    const abort = new AbortController()
    const cut = runOf(server, { kind, attempts: 1 })({ signal: abort.signal })
    expect((await cut).model?.stopped).toMatchObject({ failed: true })
    expect(await runOf(server, { kind })()).toMatchObject({ evaluated: 1, batches: { sent: 0, settled: 1 } })
    expect(sends(server)).toBe(2)
  })

  it('wait as long as a 429 asks for, and are sent once', async () => {
    await filled(2)
    const server = await aBatchServer()
    const made = kind === 'openai' ? 'POST /batches' : 'POST /messages/batches'
    server.troubles.push({ at: made, status: 429, headers: { 'retry-after-ms': '1' } })
    server.troubles.push({ at: made.replace('POST', 'GET').replace(/batches$/, 'batches/'), status: 503 })
    expect(await runOf(server, { kind })()).toMatchObject({ evaluated: 2, batches: { sent: 1 } })
    expect(server.batches.size + server.deleted.length).toBe(1)
  })

  it('can be cancelled: what was answered by then is taken over', async () => {
    await filled(4)
    const server = await aBatchServer()
    server.looksToEnd = Infinity
    const runs = runsOf(server, { kind })
    const run = runOf(server, { kind })
    await run({ wait: false })
    const { signal } = new AbortController()
    expect(await runs.batches(project, signal)).toMatchObject([{ requests: 4, ended: false, done: 0 }])
    expect(await runs.cancelBatches(project, signal)).toMatchObject([
      { ended: true, cancelled_at: expect.any(String) as string },
    ])
    server.looksToEnd = 1
    expect(await run({ sample: 4 })).toMatchObject({
      evaluated: 2,
      reasons: [{ reason: 'Its batch was cancelled before the provider got to it', calls: 2 }],
      batches: { sent: 0 },
    })
    expect(await runs.batches(project, signal)).toMatchObject([
      { answered: 2, settled_at: expect.any(String) as string },
    ])
  })
})

describe('a run by batches', () => {
  it('writes nothing over a call that was replaced, erased or evaluated elsewhere meanwhile', async () => {
    await filled(4)
    const server = await aBatchServer()
    server.looksToEnd = Infinity
    const run = runOf(server)
    await run({ wait: false })
    await store.calls.upsert(project, [
      call('s0', { transcript: saying('Something else.') }),
      call('s1', { transcript: saying('My number is 1.'), score: 2, evaluation: { evaluator: 'imported' } }),
    ])
    await store.calls.erase(project, 's2')
    server.looksToEnd = 1
    const report = await run({ sample: 1, which: 'pending' })
    expect(report.reasons).toContainEqual({
      reason: 'The call, or what is asked about it, changed while the model was asked: the next run asks anew',
      calls: 1,
    })
    expect(await evaluated()).toContain('s3')
    expect(
      await rows(
        store,
        `select score, evaluation.evaluator from calls where project_id = '${project}' and session_id = 's1'`,
      ),
    ).toEqual([[2, 'imported']])
    // Erased is erased: nothing of it is kept about the batch either.
    expect(
      await rows(store, `select count(*) from model_batch_calls where project_id = '${project}' and session_id = 's2'`),
    ).toEqual([[0n]])
  })

  it('sends no more than its budget is expected to bear, counting what is with the provider', async () => {
    await filled(6)
    const server = await aBatchServer()
    const run = runOf(server)
    const first = await run({ budget: { calls: 2 } })
    expect(first).toMatchObject({
      evaluated: 2,
      batches: { requests: 2 },
      model: { stopped: { reason: 'The budget of the run is spent', failed: false } },
    })
    // An answer is expected to take 100 tokens by now, at 5 a million: some 0.004 a call with what is sent.
    const [{ expected } = { expected: undefined }] = (await store.modelBatches.of(project)).toReversed()
    const each = ((expected?.input ?? 0) / 2) * 0.5e-6 + 100 * 5e-6
    expect(await run({ budget: { cost: each * 2.5 } })).toMatchObject({ evaluated: 2, batches: { requests: 2 } })
    server.looksToEnd = Infinity
    expect(await run({ budget: { cost: each * 1.5 }, wait: false })).toMatchObject({ batches: { requests: 1 } })
    // That one is still there, and nothing more fits beside it.
    expect(await run({ budget: { cost: each * 1.5 }, wait: false })).toMatchObject({
      batches: { requests: 0, waiting: 1 },
    })
  })

  it('asks once about calls in which the same was said', async () => {
    await store.calls.upsert(project, [call('a', { transcript }), call('b', { transcript })])
    const server = await aBatchServer()
    expect(await runOf(server)()).toMatchObject({ evaluated: 2, batches: { requests: 1 } })
  })

  it('sends what is more than a batch holds in several', async () => {
    await filled(7)
    const server = await aBatchServer()
    const limits = { requests: 3, bytes: 1_000_000 }
    expect(await runOf(server, { limits })()).toMatchObject({ evaluated: 7, batches: { sent: 3, requests: 7 } })
    const other = await aBatchServer()
    const [{ body } = { body: {} }] = server.asked
    const bytes = 2.5 * JSON.stringify(body).length
    const few = { limits: { requests: 1_000, bytes }, name: 'other-model' }
    expect(await runOf(other, few)({ which: 'all' })).toMatchObject({ batches: { sent: 4, requests: 7 } })
  })

  it('says so where a provider has no batches, does not take one, or refuses the key', async () => {
    await filled(2)
    const server = await aBatchServer()
    const run = runOf(server)
    server.troubles.push({ at: 'POST /files', status: 404 })
    expect((await run()).model?.stopped).toEqual({
      reason:
        'The model’s endpoint has no batches, or not this one (404 at /files): without --batch it is asked call by call',
      failed: true,
    })
    server.troubles.push({ at: 'POST /files', status: 401 })
    expect((await run()).model?.stopped?.reason).toMatch(/refuses the key/)
    expect(await store.modelBatches.of(project)).toEqual([])
    server.looksToEnd = Infinity
    await run({ wait: false })
    for (const batch of server.batches.values()) batch.state = 'refused'
    expect(await run()).toMatchObject({
      evaluated: 0,
      reasons: [{ reason: 'The provider did not take the batch: Too many tokens', calls: 2 }],
    })
  })

  it('leaves batches of another model alone, and says that they wait', async () => {
    await filled(2)
    const server = await aBatchServer()
    server.looksToEnd = Infinity
    await runOf(server)({ wait: false })
    const other = runOf(server, { name: 'other-model' })
    expect(await other({ wait: false, sample: 1 })).toMatchObject({ batches: { elsewhere: 1, waiting: 1 } })
  })

  it('is one at a time for a project', async () => {
    await filled(2)
    const server = await aBatchServer()
    const runs = runsOf(server)
    const work = {
      store: store.calls,
      projectId: project,
      rubric,
      which: 'pending',
      wait: true,
      signal: new AbortController().signal,
    } as const
    const first = runs.inBatches(work)
    await expect(runs.inBatches(work)).rejects.toThrow('Another run evaluates this project by batches')
    expect(await first).toMatchObject({ evaluated: 2 })
  })
})
