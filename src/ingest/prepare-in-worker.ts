import { move, transferableSymbol, valueSymbol, workerData } from 'piscina'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import { preparePieces, type PrepareTask } from './prepare-pieces.js'

/**
 * What a worker thread runs: the JSON it prepared changes hands instead of being copied. The thread was started with what
 * calls are evaluated by, if anything.
 */
export function prepareInWorker(task: PrepareTask): ReturnType<typeof move> {
  const result = preparePieces(task, (workerData as RunRubric | null | undefined) ?? undefined)
  return move({ [transferableSymbol]: [result.memory], [valueSymbol]: result })
}
