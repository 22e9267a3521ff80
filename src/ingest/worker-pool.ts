import { entryFile } from '../base/entry-file.js'
import { workerThreads } from '../base/worker-threads.js'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import { prepareInWorker } from './prepare-in-worker.js'
import type { PrepareResult, PrepareTask } from './prepare-pieces.js'
import { isReusable, type PackMemory } from './text-pack.js'

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
  /** Takes the memory of results back whose records nobody needs any more, for later ones: collecting it costs more. */
  reuse(memory: readonly PackMemory[]): void
  close(): Promise<void>
}

/**
 * @param workers number of threads; 0 does the work in this one (a few files, tests)
 * @param rubric what calls are evaluated by that bring no evaluation; undefined leaves them as they are
 * @param roomy whether a worker may take memory for speed
 */
export function createPreparer(workers: number, rubric?: RunRubric, roomy = false): Preparer {
  const free: PackMemory[] = []
  const reuse = (memory: readonly PackMemory[]) => void free.push(...memory.filter(isReusable))
  const withMemory = (task: PrepareTask): PrepareTask => {
    const memory = free.pop()
    return memory === undefined ? task : { ...task, memory }
  }
  if (workers === 0) {
    // Loaded only here: checks and evaluation take 8 MB in a thread that leaves them to others.
    const run = async (task: PrepareTask) => {
      const { preparePieces } = await import('./prepare-pieces.js')
      const evaluating = rubric && (await import('../evaluation/run/evaluate-batch.js'))
      return await preparePieces(withMemory(task), evaluating && (() => evaluating.rulesFor(rubric)))
    }
    return { width: 1, run, reuse, close: async () => {} }
  }
  const pool = workerThreads<PrepareTask, PrepareResult>({
    filename: entryFile(import.meta.url, './prepare-in-worker.js'),
    name: prepareInWorker.name,
    minThreads: workers,
    maxThreads: workers,
    ...(rubric !== undefined && { workerData: rubric }),
    resourceLimits: {
      maxOldGenerationSizeMb: rubric === undefined ? WORKER_HEAP_MIB : EVALUATING_HEAP_MIB,
      maxYoungGenerationSizeMb: roomy ? YOUNG_HEAP_MIB.roomy : YOUNG_HEAP_MIB.short,
    },
  })
  return {
    width: workers,
    run: given => {
      const task = withMemory(given)
      const input = task.pieces.flatMap(({ bytes, companion }) => [bytes, ...(companion ? [companion] : [])])
      const transferList = input.map(({ buffer }) => buffer as ArrayBuffer)
      return pool.run(task, { transferList })
    },
    reuse,
    close: () => pool.destroy(),
  }
}
