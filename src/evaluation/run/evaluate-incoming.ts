import { bringsReadings } from '../../calls/brings-readings.js'
import type { CallRecord } from '../../calls/call-record.js'
import type { EvaluatedFields } from '../evaluator.js'
import { keepImportDoubts } from '../keep-import-doubts.js'
import { NO_TRANSCRIPT, isWithoutTranscript } from '../rules/read-call.js'
import { CALL_MS, type RulesEvaluator } from '../rules/rules-evaluator.js'

/** Why a call has no evaluation that came in behind others of its piece. */
export const NO_TIME_LEFT = 'The calls before it took all the time there is for evaluating them as they come in'

/** What evaluates calls that come in; made ready when the first has something to be evaluated: a rubric takes a third of a second. */
export type IncomingRules = () => Pick<RulesEvaluator, 'evaluate'>

/** Leaves calls as they come, and says why. */
export const leftAsTheyCome =
  (none: string): IncomingRules =>
  () => ({ evaluate: () => ({ none }) })

/** What became of a call that came in: the fields of its evaluation, or why it has none. */
export type IncomingEvaluated =
  | { readonly fields: EvaluatedFields; readonly none?: undefined }
  | { readonly none: string; readonly fields?: undefined }

/**
 * Evaluates a call that comes in, before it is stored. Undefined for one that brings readings of its own: it keeps them,
 * as it does in a run over stored calls. A fault of the evaluator costs the call its evaluation, never the call.
 *
 * @param mostMs what there is of time: a call that takes longer, or for which there is none, gets no evaluation
 */
export function evaluateIncoming(
  rules: IncomingRules,
  call: CallRecord,
  at: Date,
  mostMs = CALL_MS,
): IncomingEvaluated | undefined {
  if (call.evaluation !== undefined || bringsReadings(call)) return undefined
  if (isWithoutTranscript(call)) return { none: NO_TRANSCRIPT }
  try {
    if (mostMs === 0) return { none: NO_TIME_LEFT }
    const { fields, none } = rules().evaluate(call, at, Math.min(CALL_MS, mostMs))
    return fields === undefined ? { none } : { fields: keepImportDoubts(call, fields) }
  } catch (error) {
    return { none: `The rules failed on it (${error instanceof Error ? error.name : 'unknown'})` }
  }
}
