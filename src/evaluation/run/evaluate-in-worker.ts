import { workerData } from 'piscina'
import type { CallEvaluated } from '../stored-call.js'
import { type EvaluateBatch, evaluateBatch, type RunRubric } from './evaluate-batch.js'

/** What a worker thread runs; it was started with the rubric of the run. */
export function evaluateInWorker(batch: EvaluateBatch): readonly CallEvaluated[] {
  return evaluateBatch(workerData as RunRubric, batch)
}
