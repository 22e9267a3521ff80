import { Piscina } from 'piscina'

type Options = ConstructorParameters<typeof Piscina>[0]

/**
 * Threads for work that must not keep others from being answered. A thread that fails after its task was ended (stopped
 * at a deadline, it may still run out of memory on its way) has nobody left to tell: without a listener for that the
 * failure would end the process, and with it the answers of everyone else.
 */
export function workerThreads<Task, Result>(options: Options): Piscina<Task, Result> {
  const pool = new Piscina<Task, Result>(options)
  pool.on('error', () => undefined)
  return pool
}
