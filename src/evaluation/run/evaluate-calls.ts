import type { CallsToEvaluate, CallToEvaluate, EvaluationChoice, EvaluationStore } from '../../store/store.js'
import type { CallEvaluated } from '../stored-call.js'
import type { RunRubric } from './evaluate-batch.js'
import { EvaluationCounts, type EvaluationProgress, type EvaluationReport } from './evaluation-report.js'
import {
  type BatchEvaluator,
  type MakeEvaluator,
  rulesInBatches,
  rulesInTurns,
  type SharedThreads,
} from './batch-evaluator.js'

/** Looks in a row at what is left that may come to nothing: what was read may be replaced before it is written. */
const MOST_IDLE = 3
/** Below this many calls, starting worker threads takes longer than the work. */
const FEWEST_CALLS_FOR_THREADS = 200

export interface EvaluateCallsOptions {
  readonly store: EvaluationStore
  readonly projectId: string
  readonly rubric: RunRubric
  readonly which: EvaluationChoice['which']
  readonly sample?: number | undefined
  /** Of these calls only. */
  readonly only?: readonly string[] | undefined
  /** Ends the run early: what was evaluated stays, the next run does the rest. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: EvaluationProgress) => void | Promise<void>) | undefined
  /** Worker threads of the rules, of this run alone; chosen by the number of calls when absent. */
  readonly workers?: number | undefined
  /** Threads that others use too, in place of own ones, and for whom they work. */
  readonly shared?: SharedThreads | undefined
  /** What evaluates in place of the rules, made when there are calls. It is closed with the run. */
  readonly evaluator?: MakeEvaluator | undefined
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

/** Calls, and what was found in them. */
interface CallsRead {
  readonly calls: readonly CallToEvaluate[]
  readonly found: readonly CallEvaluated[]
}

/** A batch that is being read. */
interface Running {
  readonly calls: readonly CallToEvaluate[]
  readonly found: Promise<readonly CallEvaluated[]>
  /** What came of it, when it is read. */
  read: readonly CallEvaluated[] | undefined
}

/**
 * Evaluates calls of a project: reads them page by page, by rules in worker threads or with what is given in their
 * place, and writes what was found as it goes,
 * so that it is seen at once and a run that is cut off costs nothing but its last batches.
 * @throws the signal's reason when it was aborted, and whatever the store throws
 */
export async function evaluateCalls(options: EvaluateCallsOptions): Promise<EvaluationReport> {
  const { store, projectId, rubric, which, sample, only, signal, clock = Date.now } = options
  const began = clock()
  const choice = { which, rubric: rubric.rubric.name, rubricVersion: rubric.version, before: began, sample, only }
  const chosen = await store.chooseToEvaluate(projectId, choice)
  // Ends what is under way with the run, however that ends.
  const ended = new AbortController()
  const ending = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal])
  const evaluator = options.evaluator?.(ending, options.shared) ?? rulesOf(options, chosen.count, ending)
  const run = new EvaluationRun(options, evaluator, chosen.count)
  try {
    await run.evaluate(chosen, choice)
    signal?.throwIfAborted()
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    ended.abort()
    // Whoever called may close the store next.
    await run.written().catch(() => undefined)
    await evaluator.close()
  }
  return run.counts.report({
    evaluator: evaluator.name,
    ...(evaluator.model !== undefined && { model: evaluator.model() }),
    rubric: choice.rubric,
    rubric_version: choice.rubricVersion,
    elapsed_ms: Math.max(0, Math.round(clock() - began)),
  })
}

function rulesOf(
  { rubric, workers, shared }: EvaluateCallsOptions,
  calls: number,
  ending: AbortSignal,
): BatchEvaluator {
  if (shared !== undefined) return rulesInTurns(rubric, shared.threads, { requester: shared.requester, signal: ending })
  return rulesInBatches(rubric, workers ?? (calls < FEWEST_CALLS_FOR_THREADS ? 0 : 2))
}

/** A run: batches are read side by side and settled in order; further ones are read while one is written. */
class EvaluationRun {
  readonly counts = new EvaluationCounts()
  readonly #options: EvaluateCallsOptions
  readonly #evaluator: BatchEvaluator
  readonly #running: Running[] = []
  /** What was read and is not written yet. */
  #gathered: CallsRead[] = []
  #writing: Promise<void> = Promise.resolve()
  #done = 0

  constructor(options: EvaluateCallsOptions, evaluator: BatchEvaluator, chosen: number) {
    this.#options = options
    this.#evaluator = evaluator
    this.counts.chosen = chosen
  }

  /** Resolves when what is being written is; throws what that threw. */
  written(): Promise<void> {
    return this.#writing
  }

  /**
   * A call that was replaced while it was read has another place; the store moves calls to other places too. So what is
   * left is looked at again for as long as it gets less.
   */
  async evaluate(first: CallsToEvaluate, choice: EvaluationChoice): Promise<void> {
    const { store, projectId } = this.#options
    const isOnce = this.#evaluator.once === true || choice.sample !== undefined
    let idle = 0
    for (let chosen = first; chosen.count > 0;) {
      const before = this.counts.evaluated
      await this.#readAll(chosen)
      idle = this.counts.evaluated === before ? idle + 1 : 0
      if (isOnce || idle === MOST_IDLE || this.counts.complete || this.#isStopped()) return
      chosen = await store.chooseToEvaluate(projectId, choice)
      if (chosen.count > 0) this.counts.lookAgain()
    }
  }

  async #readAll(chosen: CallsToEvaluate): Promise<void> {
    const { store, projectId, signal } = this.#options
    for (let from: bigint | undefined = chosen.first; from !== undefined && !this.#isStopped();) {
      signal?.throwIfAborted()
      const page = await store.toEvaluate(projectId, chosen, from)
      from = page.next
      await this.#readPage(page.calls)
    }
    while (this.#running.length > 0) await this.#settleFirst()
    await this.#writeGathered()
    await this.#writing
  }

  async #readPage(all: readonly CallToEvaluate[]): Promise<void> {
    const { size, width } = this.#evaluator
    const { clock = Date.now } = this.#options
    for (let start = 0; start < all.length && !this.#isStopped(); start += size) {
      const calls = all.slice(start, start + size)
      const found = this.#evaluator.run({ calls: calls.map(({ json }) => json), at: clock() })
      const batch: Running = { calls, found, read: undefined }
      this.#running.push(batch)
      // A failure is waited for in its turn; until then it must not count as unhandled.
      found.then(
        read => (batch.read = read),
        () => undefined,
      )
      if (this.#running.length > width * 2) await this.#settleFirst()
    }
  }

  #isStopped(): boolean {
    return this.#evaluator.model?.().stopped !== undefined
  }

  /** Takes the first batch, and those after it that are read meanwhile: a write costs the same for one call and for many. */
  async #settleFirst(): Promise<void> {
    const first = this.#running.shift()
    if (first === undefined) return
    this.#gathered.push({ calls: first.calls, found: await first.found })
    for (let next = this.#running[0]; next?.read !== undefined; next = this.#running[0]) {
      this.#gathered.push({ calls: next.calls, found: next.read })
      this.#running.shift()
    }
    this.#options.signal?.throwIfAborted()
    const calls = this.#gathered.reduce((sum, batch) => sum + batch.calls.length, 0)
    if (calls >= this.#evaluator.together) await this.#writeGathered()
  }

  /** The next write waits for the one before. */
  async #writeGathered(): Promise<void> {
    const settled = this.#gathered
    this.#gathered = []
    await this.#writing
    this.#options.signal?.throwIfAborted()
    this.#writing = this.#write(settled)
    // A failure is thrown where it is waited for.
    this.#writing.catch(() => undefined)
  }

  async #write(settled: readonly CallsRead[]): Promise<void> {
    const { store, projectId, onProgress } = this.#options
    const found = settled.flatMap(batch => batch.found)
    const calls = settled.flatMap(batch => batch.calls)
    const evaluated = calls.flatMap(({ session_id, seen, write: from }, at) => {
      const one = found[at]!
      if ('none' in one) this.counts.none(one.none)
      return 'json' in one ? [{ session_id, seen, write: from, json: one.json }] : []
    })
    const written = await store.writeEvaluations(projectId, evaluated)
    this.counts.evaluated += written
    this.counts.changedMeanwhile += evaluated.length - written
    for (const one of found) if ('json' in one) this.counts.compare(one.oldScore, one.score)
    this.#done += found.filter(one => !('left' in one)).length
    await onProgress?.({ done: Math.min(this.#done, this.counts.chosen), total: this.counts.chosen })
  }
}
