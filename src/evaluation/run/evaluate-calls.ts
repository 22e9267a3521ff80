import type { CallToEvaluate, EvaluationChoice, EvaluationStore } from '../../store/store.js'
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
  const counts = new EvaluationCounts()
  const choice = { which, rubric: rubric.rubric.name, rubricVersion: rubric.version, before: began, sample, only }
  let chosen = await store.chooseToEvaluate(projectId, choice)
  counts.chosen = chosen.count
  // Ends what is under way with the run, however that ends.
  const ended = new AbortController()
  const ending = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal])
  const rules = (): BatchEvaluator =>
    options.shared === undefined
      ? rulesInBatches(rubric, options.workers ?? (chosen.count < FEWEST_CALLS_FOR_THREADS ? 0 : 2))
      : rulesInTurns(rubric, options.shared.threads, { requester: options.shared.requester, signal: ending })
  const evaluator = options.evaluator?.(ending, options.shared) ?? rules()
  let done = 0
  const running: Running[] = []

  const stopped = () => evaluator.model?.().stopped !== undefined

  // What was read and is not written yet.
  let gathered: CallsRead[] = []
  let writing: Promise<void> = Promise.resolve()

  const write = async (settled: readonly CallsRead[]): Promise<void> => {
    const found = settled.flatMap(batch => batch.found)
    const calls = settled.flatMap(batch => batch.calls)
    const evaluated = calls.flatMap(({ session_id, seen, write: from }, at) => {
      const one = found[at]!
      if ('none' in one) counts.none(one.none)
      return 'json' in one ? [{ session_id, seen, write: from, json: one.json }] : []
    })
    const written = await store.writeEvaluations(projectId, evaluated)
    counts.evaluated += written
    counts.changedMeanwhile += evaluated.length - written
    for (const one of found) if ('json' in one) counts.compare(one.oldScore, one.score)
    done += found.filter(one => !('left' in one)).length
    await options.onProgress?.({ done: Math.min(done, counts.chosen), total: counts.chosen })
  }

  // Further batches are read while one is written; the next write waits for it.
  const writeGathered = async (): Promise<void> => {
    const settled = gathered
    gathered = []
    await writing
    signal?.throwIfAborted()
    writing = write(settled)
    // A failure is thrown where it is waited for.
    writing.catch(() => undefined)
  }

  // Takes the first batch, and those after it that are read meanwhile: a write costs the same for one call and for many.
  const settleFirst = async (): Promise<void> => {
    const first = running.shift()
    if (first === undefined) return
    gathered.push({ calls: first.calls, found: await first.found })
    for (let next = running[0]; next?.read !== undefined; next = running[0]) {
      gathered.push({ calls: next.calls, found: next.read })
      running.shift()
    }
    signal?.throwIfAborted()
    if (gathered.reduce((sum, { calls }) => sum + calls.length, 0) >= evaluator.together) await writeGathered()
  }

  try {
    for (let idle = 0; chosen.count > 0;) {
      const before = counts.evaluated
      for (let from: bigint | undefined = chosen.first; from !== undefined && !stopped();) {
        signal?.throwIfAborted()
        const page = await store.toEvaluate(projectId, chosen, from)
        from = page.next
        for (let start = 0; start < page.calls.length && !stopped(); start += evaluator.size) {
          const calls = page.calls.slice(start, start + evaluator.size)
          const found = evaluator.run({ calls: calls.map(({ json }) => json), at: clock() })
          const batch: Running = { calls, found, read: undefined }
          running.push(batch)
          // A failure is waited for in its turn; until then it must not count as unhandled.
          found.then(
            read => (batch.read = read),
            () => undefined,
          )
          if (running.length > evaluator.width * 2) await settleFirst()
        }
      }
      while (running.length > 0) await settleFirst()
      await writeGathered()
      await writing
      // A call that was replaced while it was read has another place; the store moves calls to other places too. So what is
      // left is looked at again for as long as it gets less.
      idle = counts.evaluated === before ? idle + 1 : 0
      if (evaluator.once === true || sample !== undefined || idle === MOST_IDLE || counts.complete || stopped()) break
      chosen = await store.chooseToEvaluate(projectId, choice)
      if (chosen.count > 0) counts.lookAgain()
    }
    signal?.throwIfAborted()
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    ended.abort()
    // Whoever called may close the store next.
    await writing.catch(() => undefined)
    await evaluator.close()
  }
  return counts.report({
    evaluator: evaluator.name,
    ...(evaluator.model !== undefined && { model: evaluator.model() }),
    rubric: choice.rubric,
    rubric_version: choice.rubricVersion,
    elapsed_ms: Math.max(0, Math.round(clock() - began)),
  })
}
