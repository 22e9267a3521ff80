import type { ThreadTask } from '../../admission/threads.js'
import type { EVALUATE_SOME } from './batch-evaluator.js'
import type { CallEvaluated } from '../stored-call.js'
import { evaluateStored } from './evaluate-batch.js'
import { rulesReceived } from './received-rubric.js'

/** Milliseconds after which a thread gives others their turn, when it has read the call it is at. */
const TURN_MS = 1_000

/** @returns what came of the first calls of a batch, of one at least */
export function evaluateSome({ rubric, batch: { calls, at } }: ThreadTask<typeof EVALUATE_SOME>): CallEvaluated[] {
  const rules = rulesReceived(rubric)
  const when = new Date(at)
  const until = performance.now() + TURN_MS
  const found: CallEvaluated[] = []
  for (const text of calls) {
    found.push(evaluateStored(text, rules, when))
    if (performance.now() > until) break
  }
  return found
}
