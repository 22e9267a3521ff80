import { callRecord, type CallRecord } from '../calls/call-record.js'
import { evaluatedFieldNames } from '../calls/evaluated-fields.js'
import { applyEvaluation } from './apply-evaluation.js'
import type { Evaluation } from './evaluator.js'
import { keepImportDoubts } from './keep-import-doubts.js'

/** What came of one call. */
export type CallEvaluated =
  /** Not read: the run ends early. */
  | { readonly left: true }
  | {
      /** The evaluated fields as JSON. */
      readonly json: string
      readonly score: number | undefined
      /** Of the evaluation before. */
      readonly oldScore: number | undefined
    }
  | { readonly none: string }

export const UNREADABLE = { none: 'The record as it is kept can’t be read' }

/** A call as the store hands it out; undefined when it is no call record any more. */
export function readStored(json: string): CallRecord | undefined {
  return callRecord.safeParse(JSON.parse(json, (_, value: unknown) => value ?? undefined)).data
}

/** What came of a call, as it is written. */
export function callEvaluated(call: CallRecord, { fields, none }: Evaluation): CallEvaluated {
  if (fields === undefined) return { none }
  const json = JSON.stringify(evaluatedFieldsOf(applyEvaluation(call, keepImportDoubts(call, fields))))
  return { json, score: fields.score, oldScore: call.score }
}

/** The evaluated fields of a record, whatever filled them. */
function evaluatedFieldsOf(call: CallRecord): object {
  return Object.fromEntries(evaluatedFieldNames.map(name => [name, call[name]]))
}
