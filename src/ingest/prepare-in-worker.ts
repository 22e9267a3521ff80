import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import { type RunRubric, rulesFor } from '../evaluation/run/evaluate-batch.js'
import { handOver } from './hand-over.js'
import { preparePieces, type PrepareTask } from './prepare-pieces.js'
import { isReusable } from './text-pack.js'

/**
 * What a worker thread runs: the JSON it prepared is shared or changes hands, and is not copied. The thread was started with what
 * calls are evaluated by, if anything.
 */
export async function prepareInWorker(task: PrepareTask): Promise<ReturnType<typeof move>> {
  const rubric = workerData as RunRubric | null | undefined
  const result = handOver(await preparePieces(task, rubric ? () => rulesFor(rubric) : undefined))
  const moves = result.memory.filter(one => !isReusable(one))
  return move({ [transferableSymbol]: moves, [valueSymbol]: result })
}
