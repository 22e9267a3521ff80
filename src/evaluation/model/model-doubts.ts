import type { HeardCall } from '../rules/heard-call.js'
import { type Doubt, turnsText } from '../rules/trust-of.js'
import type { Findings } from './findings.js'

/** Places of turns that try to instruct the evaluation: as our own patterns hear them, and as the model says. */
export interface Instructed {
  readonly heard: readonly number[]
  readonly told: readonly number[]
}

/** What the patterns hear makes an evaluation one that somebody should look at; the model's word alone a doubtful one. */
const LESS_HEARD = 0.55
const LESS_TOLD = 0.25

/** Where none of its quotes holds. */
const MADE_UP = 0.6

/** What speaks against relying on a model's reading of a call. */
export function modelDoubts(findings: Findings, instructed: Instructed, heard: HeardCall): readonly Doubt[] {
  const { unquoted, unanswered, signals, claimed, held } = findings
  const doubts: Doubt[] = []
  const places = instructedPlaces(instructed)
  if (places.length > 0) {
    doubts.push({
      less: instructed.heard.length > 0 ? LESS_HEARD : LESS_TOLD,
      reason: `${turnsText(places, heard.spoken)} to instruct the evaluation: what it asks for may be what the model found`,
    })
  }
  // Who makes up one quote in four may have made up more than what was found out.
  const made = claimed === 0 ? 0 : (claimed - held) / claimed
  if (made > 0) {
    doubts.push({
      less: MADE_UP * made,
      reason: `${claimed - held} of the model's ${claimed} quotes are not in the transcript where it says`,
    })
  }
  if (unquoted > 0) {
    doubts.push({
      less: (0.3 * unquoted) / signals.length,
      reason: `${unquoted} of ${signals.length} signals are unclear because the model's quotes for them are not in the transcript`,
    })
  }
  if (unanswered > 0) {
    doubts.push({
      less: (0.3 * unanswered) / signals.length,
      reason: `${unanswered} of ${signals.length} signals are unclear because the model did not answer for them, or in two ways`,
    })
  }
  return doubts
}

export function instructedPlaces({ heard, told }: Instructed): readonly number[] {
  return [...new Set([...heard, ...told])].toSorted((a, b) => a - b)
}
