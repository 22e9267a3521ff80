import { bringsReadings } from '../../calls/brings-readings.js'
import type { CallRecord } from '../../calls/call-record.js'
import { applyEvaluation } from '../apply-evaluation.js'
import { keepImportDoubts } from '../keep-import-doubts.js'
import type { RulesEvaluator } from '../rules/rules-evaluator.js'

type Incoming = Pick<RulesEvaluator, 'evaluate'>

/** What became of a call that came in: its record with the evaluation, or why it has none. */
export type IncomingEvaluated =
  { readonly call: CallRecord; readonly none?: undefined } | { readonly none: string; readonly call?: undefined }

/**
 * Evaluates a call that comes in, before it is stored. Undefined for one that brings readings of its own: it keeps them,
 * as it does in a run over stored calls. A fault of the evaluator costs the call its evaluation, never the call.
 */
export function evaluateIncoming(evaluator: Incoming, call: CallRecord, at: Date): IncomingEvaluated | undefined {
  if (call.evaluation !== undefined || bringsReadings(call)) return undefined
  try {
    const { fields, none } = evaluator.evaluate(call, at)
    return fields === undefined ? { none } : { call: applyEvaluation(call, keepImportDoubts(call, fields)) }
  } catch (error) {
    return { none: `The rules failed on it (${error instanceof Error ? error.name : 'unknown'})` }
  }
}
