import { createContext, runInContext } from 'node:vm'
import { Problem } from '../base/problem.js'

/** Holds the work while it runs. Work does not wait, so there is one at a time. */
const room: { work: () => unknown } = createContext({ work: () => undefined }) as never

/**
 * Runs work that does not wait and ends it when its time is over, wherever it is then: the one way in JavaScript to end
 * a loop of one's own thread.
 * @throws Problem `deadline_exceeded`
 */
export function withinTime<T>(limitMs: number, work: () => T): T {
  room.work = work
  try {
    return runInContext('work()', room, { timeout: Math.max(1, Math.ceil(limitMs)) }) as T
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw new Problem('deadline_exceeded', `The pipeline did not finish within its limit of ${limitMs / 1000} s`)
  } finally {
    room.work = () => undefined
  }
}

/** The error is one of the room's own realm: no Error of ours. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
