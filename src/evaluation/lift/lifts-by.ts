import { type LiftSeen, type OutcomeLift, readStates } from '../../store/lift-store.js'
import { contextKey } from './context-key.js'
import { probability } from './fit-effects.js'
import { logOddsOfShare } from './fit-lift.js'
import type { FoldFit } from './lift-groups.js'
import { liftOf } from './lift-of.js'
import { shownBy } from './shown-by.js'

/** Standard errors that an effect has to be from none before it is told from it, nineteen times in twenty. */
export const TOLD_ERRORS = 1.959963984540054
/**
 * The lift of calls by what was fitted.
 * @param contexts their numbers, by contextKey
 */
export function liftsBy(
  folds: readonly FoldFit[],
  contexts: ReadonlyMap<string, number>,
  features: number,
): (seen: Pick<LiftSeen, 'driver' | 'direction' | 'states' | 'fold'>) => OutcomeLift {
  const states = new Uint8Array(features)
  return seen => {
    const fold = folds[seen.fold]!
    // One that was not there is like the others.
    const context = contexts.get(contextKey(seen)) ?? contexts.size
    const share = fold.shares[context]!
    states.fill(0)
    readStates(seen.states, states)
    const { logOdds, error } = shownBy(fold, states)
    const behavioral = fold.offsets[context]! + logOdds
    const isTold = Math.abs(behavioral - logOddsOfShare(share)) > TOLD_ERRORS * error
    return liftOf(share, probability(behavioral), isTold)
  }
}
