import { Overrun } from '../base/overrun.js'
import { noMasks } from '../redact/mask.js'
import type { Reject } from './piece.js'
import type { PrepareResult, PrepareTask } from './prepare-pieces.js'

/**
 * Prepares a task in a thread that has so much time and memory and no more. What takes more is tried again without being evaluated; then
 * its records are rejected, and the import goes on.
 * @param evaluates whether calls of the task are evaluated as they come in
 * @param attempt does it; with why its calls are not evaluated, where they are not to be after all
 */
export async function prepareOrLess(
  task: PrepareTask,
  evaluates: boolean,
  attempt: (notEvaluated?: string) => Promise<PrepareResult>,
): Promise<PrepareResult> {
  try {
    return await attempt().catch(async (error: unknown) => {
      if (!evaluates || !(error instanceof Overrun)) throw error
      return await attempt(`Evaluating it, with the calls that came along, ${error.took}`)
    })
  } catch (error) {
    if (!(error instanceof Overrun)) throw error
    return nothingOf(task, error.took)
  }
}

/** None of a task's records could be checked. */
function nothingOf({ pieces }: PrepareTask, took: string): PrepareResult {
  const rejects = pieces.map(({ file, line, at, records = 1 }): Reject => {
    const what = records === 1 ? 'it' : `it and what follows, ${records} records at most,`
    return { file, line, path: at, message: `can't be taken: checking ${what} ${took}` }
  })
  return { records: [], rejects, moreRejects: 0, removed: 0, masked: noMasks(), memory: [], unused: [] }
}
