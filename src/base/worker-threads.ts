import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { errorCode } from './error-code.js'
import { Overrun } from './overrun.js'

type Options = ConstructorParameters<typeof Piscina>[0]
type RunOptions<Task, Result> = Parameters<Piscina<Task, Result>['run']>[1]

/** The key of what a thread says when it has loaded its modules. */
const READY = '_WORKER_READY'

/** Below the same folder as seen from here and from the bundle (scripts/build-program.mjs). */
const STACK_TRACES = fileURLToPath(new URL('../../bin/stack-traces.cjs', import.meta.url))

/**
 * Threads for work that must not keep others from being answered. A thread that fails after its task was ended (stopped
 * at a deadline, it may still run out of memory on its way) has nobody left to tell: without a listener for that the
 * failure would end the process, and with it the answers of everyone else. A task that takes more memory than its thread may is an Overrun,
 * and ends that thread alone.
 */
export function workerThreads<Task, Result>(options: Options): Piscina<Task, Result> {
  const pool = new PatientPool<Task, Result>({
    ...options,
    // As in the main thread (bin/earshot.cjs): stack traces name the sources, and no thread reads all maps as it starts. What else Node was
    // told when it started a thread need not be told, and must not be: of V8's memory, say, it takes nothing, and would not start.
    execArgv: ['--require', STACK_TRACES],
  })
  pool.on('error', () => undefined)
  return pool
}

/** Runs one task in a thread of its own, which ends with it: for work of many seconds that hardly ever comes. */
export async function runInOwnThread<Task, Result>(
  thread: Pick<Options & object, 'filename' | 'name'>,
  task: Task,
  options: RunOptions<Task, Result>,
): Promise<Result> {
  const pool = workerThreads<Task, Result>({ ...thread, minThreads: 1, maxThreads: 1 })
  try {
    return await pool.run(task, options)
  } finally {
    await pool.destroy()
  }
}

/**
 * Ends no thread that is still loading its modules: Node 20 ends the whole process then (`FATAL ERROR:
 * v8::Module::IsGraphAsync`). So the first tasks, and the end of the pool, wait until the threads have started; the
 * library waits itself with tasks for threads that come later.
 */
class PatientPool<Task, Result> extends Piscina<Task, Result> {
  readonly #ready = new Set<number>()
  readonly #first: Promise<unknown>

  constructor(options: Options) {
    super(options)
    const first = new Set(this.threads.map(({ threadId }) => threadId))
    this.#first = Promise.all(this.threads.map(thread => this.#started(thread)))
    // The first threads are said to be there before they are.
    this.on('workerCreate', ({ id }: { readonly id: number }) => void (first.has(id) || this.#ready.add(id)))
  }

  override async run(task: Task, options?: RunOptions<Task, Result>): Promise<Result> {
    await this.#first
    try {
      return await super.run(task, options)
    } catch (error) {
      if (errorCode(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      const mib = this.options.resourceLimits?.maxOldGenerationSizeMb
      throw new Overrun(mib === undefined ? 'took more memory than there is' : `took more than ${mib} MiB of memory`)
    }
  }

  override async destroy(): Promise<void> {
    await this.#first
    await Promise.all(this.threads.filter(({ threadId }) => !this.#ready.has(threadId)).map(one => this.#started(one)))
    await super.destroy()
  }

  /** Resolves when a thread has loaded its modules, or has ended; the process waits for it. */
  async #started(thread: Worker): Promise<void> {
    const { threadId } = thread
    thread.ref()
    await new Promise<void>(resolve => {
      const hear = (message: unknown) => {
        if (typeof message !== 'object' || message === null || !(READY in message)) return
        thread.off('message', hear)
        resolve()
      }
      thread.on('message', hear)
      thread.once('exit', () => resolve())
    })
    this.#ready.add(threadId)
    thread.unref()
  }
}
