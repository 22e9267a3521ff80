import { Overrun, type Threads, type ThreadWork, type Turn } from '../admission/threads.js'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import { type SentRubric, sentRubric } from '../evaluation/run/sent-rubric.js'
import { type HandedResult, takeOver } from './hand-over.js'
import type { PieceMemory } from './piece-memory.js'
import type { Reject } from './piece.js'
import type { PrepareResult, PrepareTask } from './prepare-pieces.js'
import { noMasks } from '../redact/mask.js'
import type { Preparer } from './worker-pool.js'

/** Tasks that wait for a turn, or for their results to be taken, beside the one that is worked on. */
const TASKS_WAITING = 2

interface PrepareSome {
  readonly task: PrepareTask
  /** What calls are evaluated by, or why they are not; they are left as they come when both are absent. */
  readonly rubric?: SentRubric
  readonly notEvaluated?: string
}

export const PREPARE_SOME: ThreadWork<PrepareSome, HandedResult> = { name: 'prepareSome', deadlineMs: 60_000 }

/**
 * Prepares pieces in the threads of a service, which others use too. What takes more time or memory than it may is tried
 * again without being evaluated; then its records are rejected, and the import goes on.
 */
export function prepareInTurns(
  threads: Threads,
  turn: Turn,
  rubric: RunRubric | undefined,
  memory: PieceMemory,
): Preparer {
  const sent = rubric && sentRubric(rubric)
  const attempt = async (task: PrepareTask, by: Pick<PrepareSome, 'rubric' | 'notEvaluated'>) =>
    takeOver(await threads.run(PREPARE_SOME, { task: { ...task, memory: memory.used() }, ...by }, turn))
  return {
    width: TASKS_WAITING,
    run: async task => {
      try {
        if (sent === undefined || task.evaluated === true) return await attempt(task, {})
        return await attempt(task, { rubric: sent }).catch(async (error: unknown) => {
          if (!(error instanceof Overrun)) throw error
          return await attempt(task, { notEvaluated: `Evaluating it, with the calls that came along, ${error.took}` })
        })
      } catch (error) {
        if (!(error instanceof Overrun)) throw error
        return nothingOf(task, error.took)
      }
    },
    close: async () => undefined,
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
