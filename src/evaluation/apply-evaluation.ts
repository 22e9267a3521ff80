import { isEvaluatedHere } from '../calls/evaluated-here.js'
import type { CallRecord } from '../calls/call-record.js'
import { evaluatedFieldNames } from '../calls/evaluated-fields.js'
import type { EvaluatedFields } from './evaluator.js'

/** Condition that says the driver was found by the evaluation, so that a later one may find another. */
export const DRIVER_FOUND = 'driver.found'

/** What only an evaluation puts in, and what is gone with it; a record may bring its driver and talk patterns. */
const EVALUATED = [
  ...evaluatedFieldNames.filter(name => name !== 'interaction_driver' && name !== 'talk_patterns'),
  'outcome_lift',
] as const

/**
 * A call as an evaluator is to see it: without what an earlier evaluation of ours put in. What the record itself brought
 * (its driver, the length of the call) stays.
 */
export function unevaluated(call: CallRecord): CallRecord {
  // As most come in: to take out what is not there would copy all the others.
  if (call.interaction_driver === undefined && EVALUATED.every(field => call[field] === undefined)) return call
  const {
    score: _score,
    predicted_csat: _csat,
    scores: _scores,
    dimensions: _dimensions,
    signals: _signals,
    guidance: _guidance,
    coaching_summary: _summary,
    trust: _trust,
    conditions,
    evaluation,
    interaction_driver: driver,
    outcome_lift: _lift,
    ...kept
  } = call
  const ours = isEvaluatedHere({ evaluation })
  const found = ours && conditions?.some(({ key }) => key === DRIVER_FOUND) === true
  return driver === undefined || found ? kept : { ...kept, interaction_driver: driver }
}

/** Whether an evaluation only adds fields to a call, behind those that it has. */
export function isBare(call: CallRecord): boolean {
  return call.outcome_lift === undefined && evaluatedFieldNames.every(field => call[field] === undefined)
}

/** A call with an evaluation in place of whatever evaluation it had; its outcome lift is gone until it is fitted anew. */
export function applyEvaluation(call: CallRecord, fields: EvaluatedFields): CallRecord {
  // Not spread: two spreads of so many fields take ten times as long, and make an object that is slower to write as JSON.
  return Object.assign({}, unevaluated(call), fields)
}
