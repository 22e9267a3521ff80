import type { Rubric } from './rubric/rubric.js'
import { CSAT } from './rules/predict-csat.js'

/** How a condition says that its part counts several times: `-0.4 x 2: asked to repeat`. */
export const COUNTED = ' x (\\d+): '

/** A condition that was found, by its place in `outcomeConditions`, and how often it counts. */
export interface OutcomePart {
  readonly number: number
  readonly times: number
}

/**
 * Keys of the conditions that tell of a call's outcome: where its prediction starts, then the customer's parts of it.
 * None where the rubric predicts no satisfaction.
 */
export function outcomeConditions(rubric: Rubric): readonly string[] {
  return rubric.csat === undefined
    ? []
    : ['start', ...customerParts(rubric).map(({ key }) => key)].map(key => CSAT + key)
}

/**
 * The predicted satisfaction of a call without its agent-side parts, from the conditions its evaluation kept: what
 * outcome lift takes as the call's outcome, so that what an agent did is not counted twice. 1–5; undefined where the
 * evaluation predicted none.
 */
export function outcomeCsat(found: readonly OutcomePart[], rubric: Rubric): number | undefined {
  if (rubric.csat === undefined || !found.some(({ number }) => number === 0)) return undefined
  const parts = customerParts(rubric)
  let sum = rubric.csat.start
  for (const { number, times } of found) sum += (parts[number - 1]?.add ?? 0) * times
  return Math.min(5, Math.max(1, Math.round(sum * 1_000) / 1_000))
}

function customerParts({ csat }: Rubric) {
  return csat?.parts.filter(({ side }) => side === 'customer') ?? []
}
