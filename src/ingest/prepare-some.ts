import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { ThreadTask } from '../admission/threads.js'
import { leftAsTheyCome } from '../evaluation/run/evaluate-incoming.js'
import { rulesReceived } from '../evaluation/run/received-rubric.js'
import { handOver } from './hand-over.js'
import type { PREPARE_SOME } from './prepare-in-turns.js'
import { EVALUATION_MS, preparePieces } from './prepare-pieces.js'
import { isReusable } from './text-pack.js'

/** The work of a thread: the JSON it prepared is shared or changes hands, and is not copied. */
export async function prepareSome({
  task,
  rubric,
  notEvaluated: none,
}: ThreadTask<typeof PREPARE_SOME>): Promise<ReturnType<typeof move>> {
  const rules = none === undefined ? rubric && (() => rulesReceived(rubric)) : leftAsTheyCome(none)
  const result = handOver(await preparePieces(task, rules, EVALUATION_MS.shared))
  const moves = result.memory.filter(one => !isReusable(one))
  return move({ [transferableSymbol]: moves, [valueSymbol]: result })
}
