import type { ThreadTask } from '../admission/threads.js'
import { leftAsTheyCome } from '../evaluation/run/evaluate-incoming.js'
import { rulesReceived } from '../evaluation/run/received-rubric.js'
import { handedOver } from './hand-over.js'
import type { PREPARE_SOME } from './prepare-in-turns.js'
import { EVALUATION_MS, preparePieces } from './prepare-pieces.js'

/** The work of a thread that others use too. */
export async function prepareSome({
  task,
  rubric,
  notEvaluated: none,
}: ThreadTask<typeof PREPARE_SOME>): Promise<ReturnType<typeof handedOver>> {
  const rules = none === undefined ? rubric && (() => rulesReceived(rubric)) : leftAsTheyCome(none)
  return handedOver(await preparePieces(task, rules, EVALUATION_MS.shared))
}
