import { move, transferableSymbol, valueSymbol } from 'piscina'
import { preparePieces, type PrepareTask } from './prepare-pieces.js'

/** What a worker thread runs: the JSON it prepared changes hands instead of being copied. */
export function prepareInWorker(task: PrepareTask): ReturnType<typeof move> {
  const result = preparePieces(task)
  return move({ [transferableSymbol]: [result.memory], [valueSymbol]: result })
}
