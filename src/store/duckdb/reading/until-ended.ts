import type { DuckDBConnection } from '@duckdb/node-api'
import type { Deadline } from '../../deadline.js'
import { engineProblem } from '../engine-problem.js'

/** Milliseconds between interrupts: one that comes before the engine has started the query is lost. */
const INTERRUPT_INTERVAL_MS = 20

/** Runs work on a connection until the deadline ends, and shapes what the engine says when it fails. */
export async function untilEnded<T>(
  connection: DuckDBConnection,
  deadline: Deadline,
  work: () => Promise<T>,
): Promise<T> {
  let interrupting: NodeJS.Timeout | undefined
  const stop = deadline.onEnd(() => {
    connection.interrupt()
    interrupting = setInterval(() => connection.interrupt(), INTERRUPT_INTERVAL_MS)
  })
  try {
    const done = await work()
    if (deadline.ended !== undefined) throw deadline.ended
    return done
  } catch (error) {
    throw deadline.ended ?? engineProblem(error)
  } finally {
    stop()
    clearInterval(interrupting)
  }
}
