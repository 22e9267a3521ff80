import { entryFile } from '../base/entry-file.js'
import { workerThreads } from '../base/worker-threads.js'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import { type HandedResult, takeOver } from './hand-over.js'
import { PieceMemory } from './piece-memory.js'
import { prepareInWorker, type WorkerTask } from './prepare-in-worker.js'
import { prepareOrLess } from './prepare-or-less.js'
import type { PrepareResult, PrepareTask } from './prepare-pieces.js'

/** Heap of one worker, MiB: enough for a record of 16 MiB parsed and written anew, and a bound for a hostile one. */
const WORKER_HEAP_MIB = 256
/** The same where it evaluates too: what is found in a hostile transcript takes its room as well. */
const EVALUATING_HEAP_MIB = 512
/**
 * Of it for new objects, where memory is short and where it is not. What a piece's calls become has to outlive the piece, and
 * in little room most of it is copied and becomes old before that: with 8 MiB the rules take twice the time they take alone.
 */
const YOUNG_HEAP_MIB = { short: 8, roomy: 48 }

/** Prepares pieces, in worker threads or in this one. */
export interface Preparer {
  /** How many tasks keep it busy. */
  readonly width: number
  run(task: PrepareTask): Promise<PrepareResult>
  close(): Promise<void>
}

interface WorkerMemory {
  /** Whether a worker may take memory for speed. */
  readonly roomy?: boolean
  /** What texts that are written anew lie in. */
  readonly memory?: PieceMemory
  /** Heap of one worker, MiB. */
  readonly heapMib?: number
}

/**
 * @param workers number of threads; 0 does the work in this one (a few files, tests)
 * @param rubric what calls are evaluated by that bring no evaluation; undefined leaves them as they are
 */
export function createPreparer(
  workers: number,
  rubric?: RunRubric,
  {
    roomy = false,
    memory = new PieceMemory(),
    heapMib = rubric === undefined ? WORKER_HEAP_MIB : EVALUATING_HEAP_MIB,
  }: WorkerMemory = {},
): Preparer {
  const withMemory = (task: PrepareTask): PrepareTask => ({ ...task, memory: memory.used() })
  if (workers === 0) {
    // Loaded only here: checks and evaluation take 8 MB in a thread that leaves them to others.
    const run = async (task: PrepareTask) => {
      const { preparePieces } = await import('./prepare-pieces.js')
      const evaluating = rubric && (await import('../evaluation/run/evaluate-batch.js'))
      return await preparePieces(withMemory(task), evaluating && (() => evaluating.rulesFor(rubric)))
    }
    return { width: 1, run, close: async () => {} }
  }
  const pool = workerThreads<WorkerTask, HandedResult>({
    filename: entryFile(import.meta.url, './prepare-in-worker.js'),
    name: prepareInWorker.name,
    minThreads: workers,
    maxThreads: workers,
    ...(rubric !== undefined && { workerData: rubric }),
    resourceLimits: {
      maxOldGenerationSizeMb: heapMib,
      maxYoungGenerationSizeMb: roomy ? YOUNG_HEAP_MIB.roomy : YOUNG_HEAP_MIB.short,
    },
  })
  return {
    width: workers,
    // Pieces don't change hands: what takes a thread's memory is tried again.
    run: async task =>
      await prepareOrLess(task, rubric !== undefined && task.evaluated !== true, async notEvaluated =>
        takeOver(await pool.run({ task: withMemory(task), notEvaluated })),
      ),
    close: () => pool.destroy(),
  }
}
