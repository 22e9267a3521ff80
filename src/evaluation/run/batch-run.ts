import { randomUUID } from 'node:crypto'
import pLimit from 'p-limit'
import pRetry from 'p-retry'
import { z } from 'zod'
import type { BatchCall, ModelBatchStore } from '../../store/model-batch-store.js'
import type { Claim } from '../../store/leases.js'
import type { ModelAnswerStore } from '../../store/model-answer-store.js'
import type { ModelBatchRecord } from '../../store/records/model-batch.js'
import type { EvaluationChoice, EvaluationStore } from '../../store/store.js'
import { type BatchClient, type BatchLook, type BatchResult, BATCH_LIMITS } from '../model/batch-client.js'
import { AskedElsewhere, type CallClaims } from '../model/call-claims.js'
import {
  batchPrices,
  BudgetSpent,
  costOf,
  type ModelBudget,
  plus,
  roundedCost,
  type Tokens,
  USUAL_OUTPUT,
} from '../model/model-account.js'
import type { ModelReply } from '../model/model-client.js'
import { type Asking, ModelEvaluator, type ModelReadings, tokensOf } from '../model/model-evaluator.js'
import { ModelFault } from '../model/model-fault.js'
import { untilAnswered } from '../model/until-answered.js'
import type { CallEvaluated } from '../stored-call.js'
import type { BatchEvaluator, SharedThreads } from './batch-evaluator.js'
import { BatchQueue } from './batch-queue.js'
import type { RunRubric } from './evaluate-batch.js'
import { evaluateCalls } from './evaluate-calls.js'
import {
  type EvaluationProgress,
  type EvaluationReport,
  evaluationReport,
  type ModelUsage,
} from './evaluation-report.js'
import { GatheredAnswers } from './gathered-answers.js'
import { mergeReports } from './merge-reports.js'
import type { ModelSetting } from './model-in-batches.js'

/** Between two looks at a batch the pause grows by this, up to so many times the first. */
const LOOK_FACTOR = 1.5
const LONGEST_LOOK = 20
/** Looks in a row that the endpoint does not answer, and the run ends. */
const MOST_UNANSWERED = 20
/** Calls, and answers, that are written at a time: the provider waits for none of them. */
const WRITTEN_TOGETHER = 256

const count = z.int().min(0)

/** What a run with batches came to. */
export const batchReport = evaluationReport.extend({
  batches: z.strictObject({
    sent: count.meta({ description: 'Batches sent by this run' }),
    requests: count.meta({ description: 'Requests in them' }),
    settled: count.meta({ description: 'Batches whose answers were taken over' }),
    waiting: count.meta({ description: 'Requests that are still with the provider' }),
    elsewhere: count.meta({ description: 'Batches that were sent to another endpoint or model, and wait for it' }),
    unreadable: count.meta({ description: 'Lines of results that are none' }),
  }),
})
export type BatchReport = z.output<typeof batchReport>

/** How a provider is asked by batches, and where they are remembered. */
export interface Batching {
  readonly client: BatchClient
  readonly store: ModelBatchStore
  /** Most of one batch: BATCH_LIMITS when absent. */
  readonly limits?: typeof BATCH_LIMITS
  /** Milliseconds before a batch is looked at the second time; the next pauses grow. */
  readonly lookMs: number
}

export interface BatchRunOptions {
  readonly store: EvaluationStore
  readonly batching: Batching
  readonly answers: ModelAnswerStore
  /** Of calls that other runs ask about meanwhile, one by one. */
  readonly claims: CallClaims
  readonly setting: ModelSetting
  readonly readings: (signal: AbortSignal) => ModelReadings
  readonly projectId: string
  readonly rubric: RunRubric
  readonly which: EvaluationChoice['which']
  readonly sample?: number | undefined
  readonly budget: ModelBudget
  /** Whether to stay until all has ended; otherwise what has ended is taken over, and the rest left to another run. */
  readonly wait: boolean
  readonly shared?: SharedThreads | undefined
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: EvaluationProgress) => void | Promise<void>) | undefined
  readonly clock?: () => number
}

/**
 * Has a model evaluate calls by batches, at half the price and within a day: sends what is to be asked, in as many batches as it
 * takes, and takes over what comes back. What is sent is remembered before, so that a run that is cut off costs nothing: the
 * next one finds its batches, sends nothing that is there, and goes on.
 * @throws the signal's reason, and whatever the store throws
 */
export async function evaluateInBatches(options: BatchRunOptions): Promise<BatchReport> {
  return await new BatchRun(options).run()
}

/** Batches of a project that wait for this endpoint, and those that wait for another. */
export function waitingBatches(
  all: readonly ModelBatchRecord[],
  { kind, url, name }: ModelSetting['client']['endpoint'],
): { readonly here: readonly ModelBatchRecord[]; readonly elsewhere: readonly ModelBatchRecord[] } {
  const open = all.filter(({ settled_at: settled }) => settled === undefined)
  const isHere = (one: ModelBatchRecord) => one.kind === kind && one.url === url && one.model === name
  return { here: open.filter(one => isHere(one)), elsewhere: open.filter(one => !isHere(one)) }
}

/** Stands for a call that is in a batch: not read yet. */
class InBatch extends Error {}

/** Some batches have not ended. */
class StillOpen extends Error {}

/** One way through calls: those that are to be sent, or those of a batch that came back. */
interface Pass {
  readonly asking: Asking
  readonly choice: Pick<BatchRunOptions, 'which' | 'sample'> & { readonly only?: readonly string[] }
  readonly answers: Pick<ModelAnswerStore, 'get' | 'put'>
  /** Whether calls that are still to come are left as they are. */
  readonly isOver: () => boolean
  /** What becomes of a call that was not read. @throws what is no fault of the model's */
  readonly failed: (error: unknown) => CallEvaluated
  /** What is told of the model on the way. */
  readonly usage?: () => ModelUsage
}

const LEFT: CallEvaluated = { left: true }
const UNCLAIMED: Claim = { release: async () => undefined, lost: new AbortController().signal }

class BatchRun {
  readonly #given: BatchRunOptions
  readonly #prices
  readonly #clock: () => number
  readonly #open: ModelBatchRecord[] = []
  /** What is asked about which calls, in batches that are open. */
  readonly #asked = new Set<string>()
  readonly #reports: EvaluationReport[] = []
  readonly #model = { cached: 0, unquoted: 0, flagged: 0, failed: 0 }
  readonly #counts = { sent: 0, requests: 0, settled: 0, elsewhere: 0, unreadable: 0 }
  #done = new Map<string, number>()
  /** By call, until it is remembered that it is in a batch. */
  readonly #claimed = new Map<string, Claim>()
  #used: Required<Tokens> = { input: 0, output: 0, cacheRead: 0, cacheWritten: 0 }
  #expected: { input: number; output: number } = { input: 0, output: 0 }
  #usualOutput = USUAL_OUTPUT
  #admitted = 0
  #stopped: ModelUsage['stopped']

  constructor(options: BatchRunOptions) {
    this.#given = options
    this.#prices = batchPrices(options.setting.prices)
    this.#clock = options.clock ?? Date.now
  }

  async run(): Promise<BatchReport> {
    const began = this.#clock()
    await this.#attempt(() => this.#resume())
    const resumed = new Set(this.#asked)
    // Who does not know what was sent might send it again.
    const met = this.#stopped === undefined ? await this.#send(resumed) : 0
    const chosen = this.#reports[0]?.chosen ?? 0
    await this.#takeOver()
    const { rubric } = this.#given
    const { settled, ...counts } = this.#counts
    return {
      ...mergeReports(this.#reports),
      evaluator: 'model',
      rubric: rubric.rubric.name,
      rubric_version: rubric.version,
      // Also what an earlier run chose, and this one would not have.
      chosen: chosen + resumed.size - met,
      model: this.#usage(),
      batches: {
        ...counts,
        settled,
        waiting: this.#open.reduce((sum, { requests }) => sum + requests, 0),
      },
      elapsed_ms: Math.max(0, Math.round(this.#clock() - began)),
    }
  }

  get #batches() {
    return this.#given.batching.store
  }

  get #provider() {
    return this.#given.batching.client
  }

  /** Finds what earlier runs sent. */
  async #resume(): Promise<void> {
    const { projectId, setting, signal } = this.#given
    const all = await this.#batches.of(projectId)
    const { here, elsewhere } = waitingBatches(all, setting.client.endpoint)
    this.#counts.elsewhere = elsewhere.length
    this.#usualOutput = usualOutput(
      all.filter(({ model }) => model === setting.client.endpoint.name),
      setting.client.endpoint.maxOutputTokens,
    )
    const known = new Set(await this.#batches.names())
    for (const one of here) {
      let batch = one
      if (batch.remote_id === undefined) {
        // Sent, or about to be, when its run ended.
        const name = await this.#provider.find(traceOf(batch), known, signal)
        if (name === undefined) {
          await this.#neverSent(batch)
          continue
        }
        known.add(name)
        batch = { ...batch, remote_id: name }
        await this.#batches.note(batch)
      }
      this.#open.push(batch)
      this.#expected = plus(this.#expected, batch.expected)
      for (const call of await this.#batches.calls(projectId, batch.batch_id)) this.#asked.add(keyOf(call))
    }
  }

  /**
   * Sends what is not sent and not answered yet.
   * @returns how many of the calls that were with the provider already were chosen again
   */
  async #send(resumed: ReadonlySet<string>): Promise<number> {
    const { setting, budget, signal } = this.#given
    const { client } = setting
    let met = 0
    const { limits = BATCH_LIMITS } = this.#given.batching
    let queued = new BatchQueue(limits)
    const sending = pLimit(1)
    const send = async (queue: BatchQueue) => await sending(async () => await this.#sendBatch(queue))
    const asking: Asking = {
      times: 1,
      claim: async question => {
        if (!this.#asked.has(keyOf(question))) {
          this.#claimed.set(keyOf(question), await this.#given.claims.take(question))
        }
        // What is queued is claimed until its batch is remembered.
        return UNCLAIMED
      },
      ask: async ({ request, hash, tokens }, sessionId) => {
        const call = { session_id: sessionId, request: hash }
        if (this.#asked.has(keyOf(call))) {
          if (resumed.has(keyOf(call))) met += 1
          throw new InBatch()
        }
        const { body, beta } = await client.bodyOf(request)
        signal.throwIfAborted()
        if (!queued.holds(hash)) {
          const more = { input: tokens, output: this.#usualOutput }
          this.#admit(plus(this.#expected, more), budget)
          this.#expected = plus(this.#expected, more)
          if (queued.isFull(body)) {
            const full = queued
            queued = new BatchQueue(limits)
            queued.add(call, body, beta, more)
            await send(full)
            throw new InBatch()
          }
          queued.add(call, body, beta, more)
        } else queued.join(call)
        throw new InBatch()
      },
    }
    try {
      const { which, sample, answers } = this.#given
      const report = await this.#evaluate({
        asking,
        choice: { which, sample },
        answers,
        isOver: () => this.#stopped !== undefined,
        failed: error => this.#notSent(error),
        usage: () => this.#usage(),
      })
      if (this.#stopped?.failed !== true) await this.#attempt(() => send(queued))
      this.#reports.push(report)
    } finally {
      await this.#letGo([...this.#claimed.keys()])
    }
    return met
  }

  /** @throws BudgetSpent */
  #admit(expected: Required<Tokens>, { calls = Infinity, tokens = Infinity, cost = Infinity }: ModelBudget): void {
    this.#admitted += 1
    if (this.#admitted > calls || expected.input + expected.output > tokens) throw new BudgetSpent()
    if ((costOf(expected, this.#prices) ?? 0) > cost) throw new BudgetSpent()
  }

  async #sendBatch(queue: BatchQueue): Promise<void> {
    const { projectId, setting, signal, which } = this.#given
    const requests = queue.requests()
    if (requests.length === 0) return
    const { endpoint } = setting.client
    const fileId = await this.#provider.upload(requests, signal)
    const batch: ModelBatchRecord = {
      batch_id: randomUUID(),
      project_id: projectId,
      kind: endpoint.kind,
      url: endpoint.url,
      model: endpoint.name,
      which,
      created_at: new Date(this.#clock()).toISOString(),
      requests: requests.length,
      expected: { input: queue.expected.input, output: queue.expected.output },
      ...(fileId !== undefined && { file_id: fileId }),
    }
    await this.#batches.begin(batch, queue.calls)
    await this.#letGo(queue.calls.map(call => keyOf(call)))
    let isMaybeThere = false
    const name = await untilAnswered(
      async () => {
        const found = isMaybeThere
          ? await this.#provider.find(traceOf(batch), await this.#batches.names(), signal)
          : undefined
        isMaybeThere = true
        return found ?? (await this.#provider.create(requests, fileId, queue.beta, signal))
      },
      endpoint,
      signal,
    ).catch(async (error: unknown) => {
      // A refusal says that there is none; after anything else the next run looks for it.
      if (error instanceof ModelFault && !error.again) await this.#neverSent(batch)
      throw error
    })
    const sent = { ...batch, remote_id: name }
    await this.#batches.note(sent)
    this.#open.push(sent)
    for (const call of queue.calls) this.#asked.add(keyOf(call))
    this.#counts.sent += 1
    this.#counts.requests += requests.length
  }

  async #letGo(keys: readonly string[]): Promise<void> {
    await Promise.all(
      keys.map(async key => {
        await this.#claimed.get(key)?.release()
        this.#claimed.delete(key)
      }),
    )
  }

  /** Forgets a batch that the provider did not take, and has it delete the file of requests. */
  async #neverSent(batch: ModelBatchRecord): Promise<void> {
    const { signal } = this.#given
    await this.#batches.remove(batch)
    if (batch.file_id !== undefined) await this.#forget('-', [batch.file_id])
    signal.throwIfAborted()
  }

  /** What can't be deleted there the provider deletes itself in time. */
  async #forget(name: string, files: readonly string[]): Promise<void> {
    const { signal } = this.#given
    await this.#provider.forget(name, files, signal).catch(() => signal.throwIfAborted())
  }

  /** Takes over what has ended, and waits for the rest where it is to. */
  async #takeOver(): Promise<void> {
    const { wait, signal, onProgress } = this.#given
    const { lookMs } = this.#given.batching
    const total = this.#open.reduce((sum, { requests }) => sum + requests, 0)
    if (total === 0) return
    let unanswered = 0
    const lookAll = async (): Promise<void> => {
      for (const batch of this.#open.slice()) {
        const look = await this.#provider.look(batch.remote_id!, signal)
        this.#done.set(batch.batch_id, look.ended ? batch.requests : Math.min(look.done, batch.requests))
        if (look.ended) {
          await this.#settle(batch, look)
          this.#open.splice(this.#open.indexOf(batch), 1)
        }
        await onProgress?.({ done: [...this.#done.values()].reduce((sum, one) => sum + one, 0), total })
      }
      unanswered = 0
      if (wait && this.#open.length > 0) throw new StillOpen()
    }
    await this.#attempt(() =>
      pRetry(lookAll, {
        retries: Infinity,
        minTimeout: lookMs,
        maxTimeout: lookMs * LONGEST_LOOK,
        factor: LOOK_FACTOR,
        signal,
        shouldRetry: ({ error }) => {
          if (error instanceof StillOpen) return true
          // What takes a day outlives an hour without its endpoint.
          return wait && error instanceof ModelFault && error.again && (unanswered += 1) < MOST_UNANSWERED
        },
      }),
    )
  }

  async #settle(batch: ModelBatchRecord, look: BatchLook): Promise<void> {
    const { projectId, setting, signal } = this.#given
    const { client } = setting
    const calls = await this.#batches.calls(projectId, batch.batch_id)
    const { results, unreadable } =
      look.refused === undefined
        ? await this.#provider.results(batch.remote_id!, look, signal)
        : { results: [], unreadable: 0 }
    const came = new Map(results.map(result => [result.id, result]))
    const requested = new Set(calls.map(({ request }) => request))
    if (results.length > 0 && !results.some(({ id }) => requested.has(id)) && requested.size > 0) {
      // Found by its time and size, and somebody else's.
      await this.#batches.remove(batch)
      return
    }
    // Also of calls that are gone by now: they are paid for.
    let used: Required<Tokens> = { input: 0, output: 0, cacheRead: 0, cacheWritten: 0 }
    let answered = 0
    for (const result of came.values()) {
      const reply = await replyOf(result, body => client.read(NOTHING_ASKED, body))
      if (reply === undefined) continue
      used = plus(used, tokensOf(reply, Math.ceil(batch.expected.input / batch.requests)))
      answered += 1
    }
    const asking: Asking = {
      times: 1,
      // It is answered already.
      claim: async () => UNCLAIMED,
      ask: async ({ request, hash }) => {
        const result = came.get(hash)
        if (result !== undefined && 'body' in result) return await client.read(request, result.body)
        if (result !== undefined) throw new ModelFault(result.fault)
        throw new ModelFault(
          look.refused ??
            (requested.has(hash)
              ? 'Its batch ended without an answer about it: the next run sends it again'
              : 'The call, or what is asked about it, changed while the model was asked: the next run asks anew'),
        )
      },
    }
    // What was chosen because it had no evaluation may have one of the rules by now; one that came with the call stays.
    const which = batch.which === 'everything' ? 'everything' : 'all'
    const only = calls.map(({ session_id: id }) => id)
    const kept = new GatheredAnswers(this.#given.answers, projectId, WRITTEN_TOGETHER)
    const report = await this.#evaluate({
      asking,
      choice: { which, only },
      answers: kept,
      isOver: () => false,
      failed: error => this.#notAnswered(error),
    })
    this.#reports.push(report)
    await kept.flush()
    this.#used = plus(this.#used, used)
    this.#counts.settled += 1
    this.#counts.unreadable += unreadable
    await this.#batches.settle({
      ...batch,
      settled_at: new Date(this.#clock()).toISOString(),
      used: { input: used.input, output: used.output },
      answered,
    })
    const files = [batch.file_id, ...look.files].filter(id => id !== undefined)
    await this.#forget(batch.remote_id!, files)
  }

  /** Goes through calls once, with a model that answers so. */
  async #evaluate({ asking, choice, answers, isOver, failed, usage }: Pass): Promise<EvaluationReport> {
    const { store, projectId, rubric, setting, shared, signal, readings, clock } = this.#given
    const { client, maxCharacters, concurrency } = setting
    return await evaluateCalls({
      store,
      projectId,
      rubric,
      ...choice,
      shared,
      signal,
      ...(clock !== undefined && { clock }),
      evaluator: ending => {
        const evaluator = new ModelEvaluator({
          readings: readings(ending),
          endpoint: client.endpoint,
          asking,
          answers,
          projectId,
          maxCharacters,
        })
        const limit = pLimit(concurrency)
        const read = async (json: string, at: number): Promise<CallEvaluated> => {
          ending.throwIfAborted()
          if (isOver()) return LEFT
          try {
            return await evaluator.evaluate(json, at)
          } catch (error) {
            return failed(error)
          }
        }
        return {
          name: 'model',
          size: 1,
          together: WRITTEN_TOGETHER,
          width: concurrency,
          once: true,
          ...(usage !== undefined && { model: usage }),
          run: async ({ calls, at }): ReturnType<BatchEvaluator['run']> =>
            await Promise.all(calls.map(json => limit(read, json, at))),
          close: async () => {
            limit.clearQueue()
            this.#model.cached += evaluator.counts.cached
            this.#model.unquoted += evaluator.counts.unquoted
            this.#model.flagged += evaluator.counts.flagged
          },
        }
      },
    })
  }

  /** A call that was not read while calls are sent: it waits in a batch, or in others' hands, or for another run. */
  #notSent(error: unknown): CallEvaluated {
    if (error instanceof InBatch) return LEFT
    if (error instanceof AskedElsewhere) return { none: error.message }
    if (error instanceof BudgetSpent) this.#stopped ??= { reason: 'The budget of the run is spent', failed: false }
    // Only sending can fail here, and the next call would fare no better.
    else if (error instanceof ModelFault) this.#stopped ??= { reason: error.message, failed: true }
    else throw error
    return LEFT
  }

  /** A call of a batch that came back, with no answer that could be read. */
  #notAnswered(error: unknown): CallEvaluated {
    if (!(error instanceof ModelFault)) throw error
    this.#model.failed += 1
    return { none: error.message }
  }

  /** Ends the run with what an endpoint's fault says, and keeps what was done. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#given.signal.throwIfAborted()
      if (!(error instanceof ModelFault)) throw error
      this.#stopped = { reason: error.message, failed: true }
    }
  }

  #usage(): ModelUsage {
    const { input, output, cacheRead } = this.#used
    const cost = roundedCost(this.#used, this.#prices)
    return {
      name: this.#given.setting.client.endpoint.name,
      requests: this.#counts.requests,
      ...this.#model,
      input_tokens: input,
      ...(cacheRead > 0 && { prompt_cache_tokens: cacheRead }),
      output_tokens: output,
      ...(cost !== undefined && { cost }),
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
    }
  }
}

const NOTHING_ASKED = { system: '', user: '', schema: { type: 'object' } }

function keyOf({ session_id: id, request }: BatchCall): string {
  return `${request} ${id}`
}

function traceOf({ file_id: fileId, requests, created_at: at }: ModelBatchRecord) {
  return { fileId, requests, createdAt: Date.parse(at) }
}

/** What a result holds; undefined where it is no answer. */
async function replyOf(
  result: BatchResult,
  read: (body: string) => Promise<ModelReply>,
): Promise<ModelReply | undefined> {
  if (!('body' in result)) return undefined
  try {
    return await read(result.body)
  } catch (error) {
    if (error instanceof ModelFault) return undefined
    throw error
  }
}

/** Tokens of an answer, by those that came. */
function usualOutput(batches: readonly ModelBatchRecord[], most: number): number {
  const answered = batches.reduce((sum, one) => sum + (one.answered ?? 0), 0)
  const output = batches.reduce((sum, { used }) => sum + (used?.output ?? 0), 0)
  return Math.min(most, answered === 0 ? USUAL_OUTPUT : Math.ceil(output / answered))
}
