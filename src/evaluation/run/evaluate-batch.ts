import { RulesEvaluator } from '../rules/rules-evaluator.js'
import type { Rubric } from '../rubric/rubric.js'
import { type CallEvaluated, callEvaluated, readStored, UNREADABLE } from '../stored-call.js'

/** What a run's calls are read by. Plain data: it goes to the workers as it is. */
export interface RunRubric {
  readonly rubric: Rubric
  /** The same in other languages, for calls in these. */
  readonly others?: readonly Rubric[]
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
