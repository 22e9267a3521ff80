import { COUNTS } from './fit-effects.js'
import type { FoldFit } from './lift-groups.js'

/** How far a random intercept draws effects of all agents together towards none (Zeger, Liang and Albert, 1988). */
const ATTENUATION = ((16 * Math.sqrt(3)) / (15 * Math.PI)) ** 2

/**
 * What the signals of a call add to the log odds of its context, over all agents, with its standard error. A signal counts
 * less its mean over the calls to which it applies, and one that does not apply counts nothing: a call of average manners
 * adds nothing, and what can't be said of it speaks neither for nor against its agent.
 */
export function shownBy(
  { effects, means }: Pick<FoldFit, 'effects' | 'means'>,
  states: Uint8Array,
): { logOdds: number; error: number } {
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
