import { digamma, inverseTrigamma, trigamma } from './gamma-functions.js'

/** How an outcome moved in earlier periods, as a part of what is usual: 1 is as usual. */
export interface Ratio {
  readonly ratio: number
  /** What it was told from, as degrees of freedom. */
  readonly freedom: number
}

/** Degrees of freedom that what is usual counts as, beside an outcome's own history. */
export const PRIOR_FREEDOM = 20
const LEAST_PRIOR = 4
const MOST_PRIOR = 60
/** Fewer outcomes than this tell nothing of how much they differ. */
const FEWEST = 10

/**
 * How many degrees of freedom the usual counts as: many where outcomes move alike, few where they differ (the moments of
 * log variances; Smyth, 2004, section 6.2).
 */
export function priorFreedom(ratios: readonly Ratio[]): number {
  const told = ratios.filter(({ ratio, freedom }) => ratio > 0 && freedom > 0)
  if (told.length < FEWEST) return PRIOR_FREEDOM
  const logs = told.map(({ ratio, freedom }) => Math.log(ratio) - digamma(freedom / 2) + Math.log(freedom / 2))
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1)
  const noise = told.reduce((sum, { freedom }) => sum + trigamma(freedom / 2), 0) / told.length
  if (variance <= noise) return MOST_PRIOR
  return Math.min(MOST_PRIOR, Math.max(LEAST_PRIOR, 2 * inverseTrigamma(variance - noise)))
}

/** By what an outcome's variance is multiplied: its own history, shrunken towards the usual; never below 1. */
export function ownFactor({ ratio, freedom }: Ratio, prior: number): number {
  return Math.max(1, (prior + freedom * ratio) / (prior + freedom))
}
