import type { evaluatedFieldNames } from '../calls/evaluated-fields.js'
import type { CallRecord } from '../calls/call-record.js'

/** The fields of a call record that an evaluation fills. */
export type EvaluatedFields = Pick<CallRecord, (typeof evaluatedFieldNames)[number]>

/** What an evaluation came to: the fields it fills, or in a sentence why there is none. */
export type Evaluation =
  | { readonly fields: EvaluatedFields; readonly none?: undefined }
  | { readonly none: string; readonly fields?: undefined }

/** Reads calls by one rubric. */
export interface Evaluator {
  /** What `evaluation.evaluator` says. */
  readonly name: 'rules' | 'model'
  /** What `evaluation.rubric` says of calls that are of no kind with a rubric of its own, and `evaluation.rubric_version` of all. */
  readonly rubric: { readonly name: string; readonly version: string }
  /** @param at the instant that `evaluation.evaluated_at` says */
  evaluate(call: CallRecord, at: Date): Evaluation | Promise<Evaluation>
}
