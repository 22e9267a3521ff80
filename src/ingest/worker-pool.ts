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
/** Of it for new objects: with 4 an import takes an eighth more processor time, with 16 no less. */
const WORKER_YOUNG_HEAP_MIB = 8

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
 */
export function createPreparer(workers: number, rubric?: RunRubric): Preparer {
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
      maxYoungGenerationSizeMb: WORKER_YOUNG_HEAP_MIB,
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
