import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { prepareInWorker } from './prepare-in-worker.js'
import { preparePieces, type PrepareResult, type PrepareTask } from './prepare-pieces.js'

/** Heap of one worker, MiB: enough for a record of 16 MiB parsed and written anew, and a bound for a hostile one. */
const WORKER_HEAP = 256
const WORKER_YOUNG_HEAP = 16

/** Beside this file when compiled. Run from source, under a test runner, the compiled worker is in dist/. */
const WORKER = import.meta.url.endsWith('.ts') ? '../../dist/ingest/prepare-in-worker.js' : './prepare-in-worker.js'

/** Prepares pieces, in worker threads or in this one. */
export interface Preparer {
  /** How many tasks keep it busy. */
  readonly width: number
  run(task: PrepareTask): Promise<PrepareResult>
  close(): Promise<void>
}

/** @param workers number of threads; 0 does the work in this one (a few files, tests) */
export function createPreparer(workers: number): Preparer {
  if (workers === 0) {
    return { width: 1, run: async task => await Promise.resolve(preparePieces(task)), close: async () => {} }
  }
  const pool = new Piscina<PrepareTask, PrepareResult>({
    filename: fileURLToPath(new URL(WORKER, import.meta.url)),
    name: prepareInWorker.name,
    minThreads: workers,
    maxThreads: workers,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP, maxYoungGenerationSizeMb: WORKER_YOUNG_HEAP },
  })
  return {
    width: workers,
    run: task => {
      const memory = task.pieces.flatMap(({ bytes, companion }) => [bytes, ...(companion ? [companion] : [])])
      return pool.run(task, { transferList: memory.map(({ buffer }) => buffer as ArrayBuffer) })
    },
    close: () => pool.destroy(),
  }
}
