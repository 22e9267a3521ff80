import { workerData } from 'piscina'
import { type RunRubric, rulesFor } from '../evaluation/run/evaluate-batch.js'
import { leftAsTheyCome } from '../evaluation/run/evaluate-incoming.js'
import { handedOver } from './hand-over.js'
import { preparePieces, type PrepareTask } from './prepare-pieces.js'

/** A task, and why its calls are not evaluated after all. */
export interface WorkerTask {
  readonly task: PrepareTask
  readonly notEvaluated?: string | undefined
}

/** What a worker thread runs; it was started with what calls are evaluated by, if anything. */
export async function prepareInWorker({ task, notEvaluated }: WorkerTask): Promise<ReturnType<typeof handedOver>> {
  const rubric = workerData as RunRubric | null | undefined
  const rules = notEvaluated === undefined ? rubric && (() => rulesFor(rubric)) : leftAsTheyCome(notEvaluated)
  return handedOver(await preparePieces(task, rules ?? undefined))
}
