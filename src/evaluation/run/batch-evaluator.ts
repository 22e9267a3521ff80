import { setImmediate as otherWork } from 'node:timers/promises'
import { entryFile } from '../../base/entry-file.js'
import { workerThreads } from '../../base/worker-threads.js'
import { type CallEvaluated, type EvaluateBatch, evaluateBatch, type RunRubric } from './evaluate-batch.js'
import { BATCH_CALLS } from '../../store/store.js'
import type { Evaluator } from '../evaluator.js'
import type { ModelUsage } from './evaluation-report.js'
import { evaluateInWorker } from './evaluate-in-worker.js'

/** Heap of one worker, MiB: a bound for hostile transcripts. */
const WORKER_HEAP = 512
/** Calls read in this thread before others get their turn: some milliseconds. */
const AT_ONCE = 8

/** Calls of one batch: some tenths of a second of one worker's work, and a page of the store is several. */
const BATCH = 256

/** Reads batches of calls: by rules, in worker threads or in this one, or with a language model. */
export interface BatchEvaluator {
  /** What `evaluation.evaluator` says. */
  readonly name: Evaluator['name']
  /** Calls of one batch. */
  readonly size: number
  /** How many batches keep it busy. */
  readonly width: number
  /** Calls that are written together, if there are so many. */
  readonly together: number
  run(batch: EvaluateBatch): Promise<readonly CallEvaluated[]>
  /** What a language model was asked, and whether the run ends early; absent for rules. */
  readonly model?: (() => ModelUsage) | undefined
  close(): Promise<void>
}

/** @param workers number of threads; 0 reads in this one (a few calls) */
export function rulesInBatches(rubric: RunRubric, workers: number): BatchEvaluator {
  if (workers === 0) {
    return {
      name: 'rules',
      size: BATCH,
      width: 1,
      together: BATCH_CALLS,
      run: async ({ calls, at }) => {
        const all: CallEvaluated[] = []
        for (let from = 0; from < calls.length; from += AT_ONCE) {
          all.push(...evaluateBatch(rubric, { calls: calls.slice(from, from + AT_ONCE), at }))
          await otherWork()
        }
        return all
      },
      close: async () => {},
    }
  }
  const pool = workerThreads<EvaluateBatch, readonly CallEvaluated[]>({
    filename: entryFile(import.meta.url, './evaluate-in-worker.js'),
    name: evaluateInWorker.name,
    minThreads: workers,
    maxThreads: workers,
    workerData: rubric,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP },
  })
  return {
    name: 'rules',
    size: BATCH,
    width: workers,
    // A row group goes straight to the store's file: fewer go to its log first, and are written twice.
    together: BATCH_CALLS,
    run: batch => pool.run(batch),
    close: () => pool.destroy(),
  }
}
