import type { Threads, ThreadWork, Turn } from '../admission/threads.js'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import { type SentRubric, sentRubric } from '../evaluation/run/sent-rubric.js'
import { type HandedResult, takeOver } from './hand-over.js'
import type { PieceMemory } from './piece-memory.js'
import { prepareOrLess } from './prepare-or-less.js'
import type { PrepareTask } from './prepare-pieces.js'
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

/** Prepares pieces in the threads of a service, which others use too. */
export function prepareInTurns(
  threads: Threads,
  turn: Turn,
  rubric: RunRubric | undefined,
  memory: PieceMemory,
): Preparer {
  const sent = rubric && sentRubric(rubric)
  return {
    width: TASKS_WAITING,
    run: async task => {
      const evaluates = sent !== undefined && task.evaluated !== true
      return await prepareOrLess(task, evaluates, async notEvaluated => {
        const by = notEvaluated === undefined ? evaluates && { rubric: sent } : { notEvaluated }
        return takeOver(await threads.run(PREPARE_SOME, { task: { ...task, memory: memory.used() }, ...by }, turn))
      })
    },
    close: async () => undefined,
  }
}
