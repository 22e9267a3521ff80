import { Overrun } from '../base/overrun.js'
import type { Piscina } from 'piscina'
import { entryFile } from '../base/entry-file.js'
import { Problem } from '../base/problem.js'
import { workerThreads } from '../base/worker-threads.js'
import type { Document } from '../pipeline/index.js'
import { type EvaluationTask, type RestOutcome, type RestTask, unpacked } from './evaluate-rest.js'
import type { RestBounds } from './rest-bounds.js'

/** Milliseconds after which a thread without work is let go. */
const IDLE_MS = 60_000

const YOUNG_HEAP_MIB = 32

/** How far the threads stand back behind the one that answers; where the system knows no such thing, not at all. */
const NICE_INCREMENT = 10

export interface RestResult {
  readonly documents: readonly Document[]
  readonly truncated: boolean
}

/** What ends work before its time. */
export interface Ending {
  readonly ended: Problem | undefined
  onEnd(listener: () => void): () => void
}

/** What the threads run: a function of a file. */
export interface RestWork {
  readonly filename: string
  readonly name: string
}

/**
 * Runs stages outside the engine, in threads of their own: none keeps others from being answered, and one that takes
 * too much time or memory is ended with its thread, not with the process.
 */
export class RestPool<Task extends EvaluationTask = RestTask> {
  readonly #bounds: RestBounds
  readonly #work: RestWork
  #threads: Piscina<Task, RestOutcome> | undefined
  #closed: Problem | undefined

  constructor(
    bounds: RestBounds,
    work: RestWork = { filename: entryFile(import.meta.url, './evaluate-rest.js'), name: 'evaluateRest' },
  ) {
    this.#bounds = bounds
    this.#work = work
  }

  /** Rejects with a Problem when the stages fail, take too much memory, or their time is over. */
  async run(task: Task, ending: Ending): Promise<RestResult> {
    // What comes behind the end of the threads would make new ones, and hold up the end of the store until its deadline.
    if (this.#closed !== undefined) throw this.#closed
    const aborting = new AbortController()
    const stop = ending.onEnd(() => aborting.abort())
    try {
      const transferList = task.chunks.map(({ buffer }) => buffer)
      const outcome = await this.#pool().run(task, { signal: aborting.signal, transferList })
      if (ending.ended !== undefined) throw ending.ended
      if ('documents' in outcome) return { ...outcome, documents: unpacked(outcome.documents) }
      const { code, message, details } = outcome.problem
      throw new Problem(code, message, { details })
    } catch (error) {
      throw ending.ended ?? this.#closed ?? this.#problemOf(error)
    } finally {
      stop()
    }
  }

  /** Ends what runs and refuses what comes, with a reason. */
  async close(reason: Problem): Promise<void> {
    this.#closed = reason
    await this.#threads?.destroy()
  }

  #pool(): Piscina<Task, RestOutcome> {
    this.#threads ??= workerThreads<Task, RestOutcome>({
      ...this.#work,
      minThreads: 0,
      maxThreads: this.#bounds.workers,
      idleTimeout: IDLE_MS,
      // The thread that answers everyone comes first.
      niceIncrement: NICE_INCREMENT,
      resourceLimits: { maxOldGenerationSizeMb: this.#bounds.heapMib, maxYoungGenerationSizeMb: YOUNG_HEAP_MIB },
    })
    return this.#threads
  }

  #problemOf(error: unknown): unknown {
    if (!(error instanceof Overrun)) return error
    return new Problem(
      'too_large',
      `The stages outside the engine need more than ${this.#bounds.heapMib} MiB of memory; narrow the documents with $match before them, or make fewer`,
    )
  }
}
