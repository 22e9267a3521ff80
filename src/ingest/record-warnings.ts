import { isEvaluatedHere } from '../calls/evaluated-here.js'
import { liftBand } from '../calls/lift-band.js'
import type { CheckedParts } from './as-is/checked-parts.js'

/** What is to be known of a call that is taken all the same; the middle of a sentence about calls. */
export const recordWarnings = {
  future: 'dated after now: it counts from then on, and in periods that reach so far',
  evidence: 'with evidence at a turn that its transcript does not have',
  fileNamed: 'dated by the time in the name of their file, since nothing in it says when they were',
  fileWritten: 'dated by when their file was last written, since neither it nor its name says when they were',
  band: 'whose lift_band was not that of its lift: it was made anew',
} as const
export type RecordWarning = keyof typeof recordWarnings

/**
 * Sets the band that the lift of a record makes, in place; a lift that was fitted here and has none can't be told from
 * none. @returns whether it had another one
 */
function deriveBand({ outcome_lift: outcome, evaluation }: CheckedParts): boolean {
  if (outcome?.lift === undefined) return false
  const { lift_band: given } = outcome
  if (given === undefined && isEvaluatedHere({ evaluation })) return false
  outcome.lift_band = liftBand(outcome.lift)
  return given !== undefined && given !== outcome.lift_band
}

/** Whether anything is said to stand at a turn that is not in the transcript. A record without one can't tell. */
function missesEvidence({ transcript, signals, guidance, conditions }: CheckedParts): boolean {
  if (transcript === undefined) return false
  const isBeyond = ({ turn }: { readonly turn?: number | undefined }) => turn !== undefined && turn >= transcript.length
  const points = (entries: CheckedParts['signals'] | CheckedParts['guidance']) =>
    entries?.some(({ evidence }) => evidence?.some(isBeyond) === true) === true
  return points(signals) || points(guidance) || conditions?.some(isBeyond) === true
}

/** Looks at a checked record, and puts right what can be. */
export function warningsOf(record: CheckedParts): readonly RecordWarning[] | undefined {
  const warnings: RecordWarning[] = []
  if (Date.parse(record.created_dt) > Date.now()) warnings.push('future')
  if (missesEvidence(record)) warnings.push('evidence')
  if (deriveBand(record)) warnings.push('band')
  return warnings.length === 0 ? undefined : warnings
}
