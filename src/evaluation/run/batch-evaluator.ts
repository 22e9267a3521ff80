import { otherWork } from '../../base/other-work.js'
import { entryFile } from '../../base/entry-file.js'
import { workerThreads } from '../../base/worker-threads.js'
import type { CallEvaluated } from '../stored-call.js'
import { type EvaluateBatch, evaluateBatch, type RunRubric } from './evaluate-batch.js'
import { BATCH_CALLS } from '../../store/store.js'
import type { Requester } from '../../admission/requester.js'
import type { Threads, ThreadWork, Turn } from '../../admission/threads.js'
import { Overrun } from '../../base/overrun.js'
import type { Evaluator } from '../evaluator.js'
import type { ModelUsage } from './evaluation-report.js'
import { evaluateInWorker } from './evaluate-in-worker.js'
import { type SentRubric, sentRubric } from './sent-rubric.js'

/** Calls that go to a shared thread at a time: some hundredths of a second of its work. */
const SHARED_BATCH_CALLS = 64

/** Heap of one worker, MiB: a bound for hostile transcripts. */
const WORKER_HEAP_MIB = 512
/** Calls read in this thread before others get their turn: some milliseconds. */
const CALLS_A_TURN = 8

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
  /** Whether calls it leaves are not looked at again. */
  readonly once?: true
  run(batch: EvaluateBatch): Promise<readonly CallEvaluated[]>
  /** What a language model was asked, and whether the run ends early; absent for rules. */
  readonly model?: (() => ModelUsage) | undefined
  /** Keys of the signals that a language model was asked for; absent for rules. */
  readonly asked?: (() => ReadonlySet<string>) | undefined
  close(): Promise<void>
}

/** Threads that others use too, and for whom they work. */
export interface SharedThreads {
  readonly threads: Threads
  readonly requester: Requester
}

/** Makes what evaluates in place of the rules; what it does beside waiting is done in this thread where none are shared. */
export type MakeEvaluator = (signal: AbortSignal, shared: SharedThreads | undefined) => BatchEvaluator

/**
 * @param workers number of threads; 0 reads in this one (a few calls)
 * @param heapMib heap of one worker, MiB
 */
export function rulesInBatches(rubric: RunRubric, workers: number, heapMib = WORKER_HEAP_MIB): BatchEvaluator {
  if (workers === 0) {
    return {
      name: 'rules',
      size: BATCH,
      width: 1,
      together: BATCH_CALLS,
      run: async ({ calls, at }) => {
        const all: CallEvaluated[] = []
        for (let from = 0; from < calls.length; from += CALLS_A_TURN) {
          all.push(...evaluateBatch(rubric, { calls: calls.slice(from, from + CALLS_A_TURN), at }))
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
    resourceLimits: { maxOldGenerationSizeMb: heapMib },
  })
  return {
    name: 'rules',
    size: BATCH,
    width: workers,
    // A row group goes straight to the store's file: fewer go to its log first, and are written twice.
    together: BATCH_CALLS,
    run: batch => oneByOneAtWorst(batch, part => pool.run(part)),
    close: () => pool.destroy(),
  }
}

/** A batch in a thread that others wait for too: what comes back may be of the first calls only. */
export const EVALUATE_SOME: ThreadWork<
  { readonly rubric: SentRubric; readonly batch: EvaluateBatch },
  CallEvaluated[]
> = {
  name: 'evaluateSome',
  deadlineMs: 60_000,
}

/** Reads in the threads of a service, which others use too. */
export function rulesInTurns(rubric: RunRubric, threads: Threads, turn: Turn): BatchEvaluator {
  const sent = sentRubric(rubric)
  return {
    name: 'rules',
    size: SHARED_BATCH_CALLS,
    // One is read while the next waits for its turn.
    width: 2,
    together: BATCH_CALLS,
    run: batch => oneByOneAtWorst(batch, part => threads.run(EVALUATE_SOME, { rubric: sent, batch: part }, turn)),
    close: async () => undefined,
  }
}

/**
 * Evaluates calls in threads that have so much time and memory and no more: what takes more is found out one by one, and costs only itself its
 * evaluation.
 * @param some evaluates the first of a batch, or all
 */
async function oneByOneAtWorst(
  { calls, at }: EvaluateBatch,
  some: (batch: EvaluateBatch) => Promise<readonly CallEvaluated[]>,
): Promise<readonly CallEvaluated[]> {
  const all: CallEvaluated[] = []
  while (all.length < calls.length) {
    const left = calls.slice(all.length)
    try {
      all.push(...(await some({ calls: left, at })))
    } catch (error) {
      if (!(error instanceof Overrun)) throw error
      if (left.length === 1) all.push({ none: `Evaluating it ${error.took}` })
      else for (const call of left) all.push(...(await oneByOneAtWorst({ calls: [call], at }, some)))
    }
  }
  return all
}
