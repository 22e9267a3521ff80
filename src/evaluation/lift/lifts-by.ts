import { type LiftSeen, type OutcomeLift, readStates } from '../../store/lift-store.js'
import { contextKey } from './context-key.js'
import { logOddsOfShare } from './fit-lift.js'
import type { LiftFit } from './lift-groups.js'
import { liftOf } from './lift-of.js'
import { logOddsOf, probability } from './logistic-regression.js'

/**
 * The lift of calls by what was fitted; undefined for one whose context was not there then.
 * @param contexts their numbers, by contextKey
 */
export function liftsBy(
  fit: LiftFit,
  contexts: ReadonlyMap<string, number>,
  features: number,
): (seen: LiftSeen) => OutcomeLift | undefined {
  const states = new Uint8Array(features)
  const offsets = new Float64Array(1)
  return seen => {
    const context = contexts.get(contextKey(seen))
    const fold = fit[seen.fold]
    if (context === undefined || fold === undefined) return undefined
    const share = fold.shares[context]!
    states.fill(0)
    readStates(seen.states, states)
    offsets[0] = logOddsOfShare(share)
    const { regression, values } = fold
    return liftOf(share, probability(logOddsOf(regression, { features, states, values, offsets }, 0)))
  }
}
