import type { CallToEvaluate, EvaluationChoice, EvaluationStore } from '../../store/store.js'
import type { RunRubric } from './evaluate-batch.js'
import { EvaluationCounts, type EvaluationProgress, type EvaluationReport } from './evaluation-report.js'
import { rulesInBatches } from './batch-evaluator.js'

/** Calls of one batch: some tenths of a second of one worker's work, and a page of the store is several. */
const BATCH = 256
/** Below this many calls, starting worker threads takes longer than the work. */
const FEW = 200
/** Looks at what calls that changed meanwhile left to do. */
const MOST_LOOKS = 3

export interface EvaluateCallsOptions {
  readonly store: EvaluationStore
  readonly projectId: string
  readonly rubric: RunRubric
  readonly which: EvaluationChoice['which']
  readonly sample?: number | undefined
  /** Ends the run early: what was evaluated stays, the next run does the rest. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: EvaluationProgress) => void | Promise<void>) | undefined
  /** Worker threads; chosen by the number of calls when absent. */
  readonly workers?: number | undefined
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

/**
 * Evaluates calls of a project by rules: reads them page by page, in worker threads, and writes what was found as it goes,
 * so that it is seen at once and a run that is cut off costs nothing but its last batches.
 * @throws the signal's reason when it was aborted, and whatever the store throws
 */
export async function evaluateCalls(options: EvaluateCallsOptions): Promise<EvaluationReport> {
  const { store, projectId, rubric, which, sample, signal, clock = Date.now } = options
  const began = clock()
  const counts = new EvaluationCounts()
  const choice = { which, rubric: rubric.rubric.name, rubricVersion: rubric.version, before: began, sample }
  let chosen = await store.chooseToEvaluate(projectId, choice)
  counts.chosen = chosen.count
  const evaluator = rulesInBatches(rubric, options.workers ?? (chosen.count < FEW ? 0 : 2))
  let done = 0
  const running: { calls: readonly CallToEvaluate[]; found: ReturnType<typeof evaluator.run> }[] = []

  const settleFirst = async (): Promise<void> => {
    const first = running.shift()
    if (first === undefined) return
    const found = await first.found
    signal?.throwIfAborted()
    const writing = first.calls.flatMap(({ session_id, seen }, at) => {
      const one = found[at]!
      if ('none' in one) counts.none(one.none)
      return 'none' in one ? [] : [{ session_id, seen, json: one.json }]
    })
    const written = await store.writeEvaluations(projectId, writing)
    counts.evaluated += written
    counts.changedMeanwhile += writing.length - written
    for (const one of found) if (!('none' in one)) counts.compare(one.oldScore, one.score)
    done += first.calls.length
    await options.onProgress?.({ done: Math.min(done, counts.chosen), total: counts.chosen })
  }

  try {
    for (let look = 1; chosen.count > 0; look += 1) {
      for (let from: bigint | undefined = chosen.first; from !== undefined;) {
        signal?.throwIfAborted()
        const page = await store.toEvaluate(projectId, chosen, from)
        from = page.next
        for (let start = 0; start < page.calls.length; start += BATCH) {
          const calls = page.calls.slice(start, start + BATCH)
          const found = evaluator.run({ calls: calls.map(({ json }) => json), at: clock() })
          // Waited for in its turn; until then a failure must not count as unhandled.
          found.catch(() => undefined)
          running.push({ calls, found })
          if (running.length > evaluator.width * 2) await settleFirst()
        }
      }
      while (running.length > 0) await settleFirst()
      // A call that was replaced while it was read has another place; the store moves calls to other places too.
      if (sample !== undefined || look === MOST_LOOKS || counts.complete) break
      chosen = await store.chooseToEvaluate(projectId, choice)
      if (chosen.count > 0) counts.lookAgain()
    }
    signal?.throwIfAborted()
  } finally {
    await evaluator.close()
  }
  return counts.report({
    evaluator: 'rules',
    rubric: choice.rubric,
    rubric_version: choice.rubricVersion,
    elapsed_ms: Math.max(0, Math.round(clock() - began)),
  })
}
