import { type LiftSeen, type OutcomeLift, readStates } from '../../store/lift-store.js'
import { contextKey } from './context-key.js'
import { COUNTS, probability } from './fit-effects.js'
import { logOddsOfShare } from './fit-lift.js'
import type { FoldFit } from './lift-groups.js'
import { liftOf } from './lift-of.js'

/** Standard errors that an effect has to be from none before it is told from it, nineteen times in twenty. */
export const TOLD_ERRORS = 1.959963984540054
/** How far a random intercept draws effects of all agents together towards none (Zeger, Liang and Albert, 1988). */
const ATTENUATION = ((16 * Math.sqrt(3)) / (15 * Math.PI)) ** 2

/**
 * The lift of calls by what was fitted; undefined for one whose context was not there then.
 * @param contexts their numbers, by contextKey
 */
export function liftsBy(
  folds: readonly FoldFit[],
  contexts: ReadonlyMap<string, number>,
  features: number,
): (seen: Pick<LiftSeen, 'driver' | 'direction' | 'states' | 'fold'>) => OutcomeLift | undefined {
  const states = new Uint8Array(features)
  return seen => {
    const context = contexts.get(contextKey(seen))
    const fold = folds[seen.fold]
    if (context === undefined || fold === undefined) return undefined
    const share = fold.shares[context]!
    states.fill(0)
    readStates(seen.states, states)
    const { logOdds, error } = shownBy(fold, states)
    const isTold = Math.abs(logOdds) > TOLD_ERRORS * error
    return liftOf(share, probability(logOddsOfShare(share) + logOdds), isTold)
  }
}

/**
 * What the signals of a call add to the log odds of its context, over all agents, with its standard error. A signal counts
 * less its mean over the calls to which it applies, and one that does not apply counts nothing: a call of average manners
 * adds nothing, and what can't be said of it speaks neither for nor against its agent.
 */
export function shownBy({ effects, means }: FoldFit, states: Uint8Array): { logOdds: number; error: number } {
  const { coefficients, covariance, agentVariance } = effects
  const features = coefficients.length
  let logOdds = 0
  let variance = 0
  for (let a = 0; a < features; a += 1) {
    const state = states[a] ?? 0
    const one = state === 0 ? 0 : COUNTS[state]! - means[a]!
    if (one === 0) continue
    logOdds += coefficients[a]! * one
    variance += one * one * covariance[a * features + a]!
    for (let b = 0; b < a; b += 1) {
      const other = states[b] ?? 0
      if (other === 0) continue
      variance += 2 * one * (COUNTS[other]! - means[b]!) * covariance[a * features + b]!
    }
  }
  const towards = drawn(agentVariance)
  return { logOdds: towards * logOdds, error: towards * Math.sqrt(variance) }
}

/** How far what an agent's calls show holds for all agents. */
export const drawn = (agentVariance: number): number => 1 / Math.sqrt(1 + ATTENUATION * agentVariance)
