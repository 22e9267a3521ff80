import { callRecord, type CallRecord } from '../../calls/call-record.js'
import { evaluatedFieldNames } from '../../calls/evaluated-fields.js'
import { applyEvaluation } from '../apply-evaluation.js'
import type { Evaluation } from '../evaluator.js'
import { keepImportDoubts } from '../keep-import-doubts.js'
import { RulesEvaluator } from '../rules/rules-evaluator.js'
import type { Rubric } from '../rubric/rubric.js'

/** What a run's calls are read by. Plain data: it goes to the workers as it is. */
export interface RunRubric {
  readonly rubric: Rubric
  readonly version: string
  readonly verticals: readonly string[]
}

/** Calls to read in one go. */
export interface EvaluateBatch {
  /** The calls as JSON; nulls stand for what is not known. */
  readonly calls: readonly string[]
  /** What `evaluation.evaluated_at` says, milliseconds since 1970. */
  readonly at: number
}

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

const evaluators = new WeakMap<RunRubric, RulesEvaluator>()

/** The evaluator of a rubric; made once. */
export function rulesFor(one: RunRubric): RulesEvaluator {
  const known = evaluators.get(one) ?? new RulesEvaluator(one)
  evaluators.set(one, known)
  return known
}

/** Reads calls by rules: the work of a worker. What is no call record any more is said, and harms no other. */
export function evaluateBatch(rubric: RunRubric, { calls, at }: EvaluateBatch): readonly CallEvaluated[] {
  const evaluator = rulesFor(rubric)
  const when = new Date(at)
  return calls.map(text => evaluateStored(text, evaluator, when))
}

/** Reads a call as the store hands it out. */
export function evaluateStored(text: string, evaluator: RulesEvaluator, at: Date): CallEvaluated {
  const call = readStored(text)
  return call === undefined ? UNREADABLE : callEvaluated(call, evaluator.evaluate(call, at))
}

export const UNREADABLE: CallEvaluated = { none: 'The record as it is kept can’t be read' }

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
