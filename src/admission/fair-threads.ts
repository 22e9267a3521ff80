import type { Piscina } from 'piscina'
import { Overrun } from '../base/overrun.js'
import { endedBy } from '../base/problem.js'
import { workerThreads } from '../base/worker-threads.js'
import { FairSlots, type SlotsLoad } from './fair-slots.js'
import type { NamedTask, Threads, ThreadWork, Turn } from './threads.js'

/** How far the threads stand back behind the one that answers; where the system knows no such thing, not at all. */
const NICE_INCREMENT = 10

export interface FairThreadsOptions {
  /** The file whose exported function `tenantWork` does it; see entryFile. */
  readonly file: string
  readonly threads: number
  /** All start with the first work: one takes half a second, which whoever finds the others taken should not wait for. */
  readonly together: boolean
  /** Heap of one thread, MiB: a bound for what is made to take much. */
  readonly heapMib: number
  /** Of it for new objects. */
  readonly youngHeapMib: number
}

/**
 * Threads for the work on what tenants send, shared by all of a service: projects take turns, a piece of work each. They
 * start with the first work. What takes too long or too much memory is ended with its thread, and costs nobody else
 * anything but a new one.
 */
export class FairThreads implements Threads {
  readonly #options: FairThreadsOptions
  readonly #slots: FairSlots
  /** What runs and waits. */
  readonly #under = new Set<AbortController>()
  #closed = false
  #pool: Piscina<NamedTask, unknown> | undefined

  constructor(options: FairThreadsOptions) {
    this.#options = options
    this.#slots = new FairSlots({
      what: 'pieces of work',
      places: options.threads,
      // Whoever has work done waits with the next; what there may be of that is bounded where it comes in.
      waitingOfKey: Infinity,
      waitingOfProject: Infinity,
    })
  }

  get load(): SlotsLoad {
    return this.#slots.load
  }

  async run<Task, Result>(work: ThreadWork<Task, Result>, task: Task, { requester, signal }: Turn): Promise<Result> {
    const ended = new AbortController()
    const end = () => ended.abort(signal?.reason)
    if (this.#closed || signal?.aborted === true) throw endedBy(signal)
    this.#under.add(ended)
    signal?.addEventListener('abort', end, { once: true })
    try {
      return await this.#slots.run(requester, { signal: ended.signal }, () => this.#work(work, task, ended))
    } finally {
      signal?.removeEventListener('abort', end)
      this.#under.delete(ended)
    }
  }

  /** Ends what runs, whatever it does, and refuses what comes. */
  async close(): Promise<void> {
    this.#closed = true
    for (const ended of this.#under) ended.abort()
    await this.#pool?.destroy()
  }

  async #work<Task, Result>(
    { name, deadlineMs }: ThreadWork<Task, Result>,
    task: Task,
    ended: AbortController,
  ): Promise<Result> {
    let late = false
    const timer = setTimeout(() => {
      late = true
      ended.abort()
    }, deadlineMs)
    try {
      return (await this.#threads().run({ name, task }, { signal: ended.signal })) as Result
    } catch (error) {
      if (late) throw new Overrun(`took more than ${Math.round(deadlineMs / 10) / 100} s`)
      if (ended.signal.aborted) throw endedBy(ended.signal)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #threads(): Piscina<NamedTask, unknown> {
    const { file, threads, together, heapMib, youngHeapMib } = this.#options
    this.#pool ??= workerThreads<NamedTask, unknown>({
      filename: file,
      name: 'tenantWork',
      minThreads: together ? threads : 1,
      maxThreads: threads,
      niceIncrement: NICE_INCREMENT,
      resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: youngHeapMib },
    })
    return this.#pool
  }
}
