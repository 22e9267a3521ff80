import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { type RunRubric, rulesFor } from '../evaluation/run/evaluate-batch.js'
import { leftAsTheyCome } from '../evaluation/run/evaluate-incoming.js'
import { handOver } from './hand-over.js'
import { preparePieces, type PrepareTask } from './prepare-pieces.js'
import { isReusable } from './text-pack.js'

/** A task, and why its calls are not evaluated after all. */
export interface WorkerTask {
  readonly task: PrepareTask
  readonly notEvaluated?: string | undefined
}

/**
 * What a worker thread runs: the JSON it prepared is shared or changes hands, and is not copied. The thread was started with what
 * calls are evaluated by, if anything.
 */
export async function prepareInWorker({ task, notEvaluated }: WorkerTask): Promise<ReturnType<typeof move>> {
  const rubric = workerData as RunRubric | null | undefined
  const rules = notEvaluated === undefined ? rubric && (() => rulesFor(rubric)) : leftAsTheyCome(notEvaluated)
  const result = handOver(await preparePieces(task, rules ?? undefined))
  const moves = result.memory.filter(one => !isReusable(one))
  return move({ [transferableSymbol]: moves, [valueSymbol]: result })
}
