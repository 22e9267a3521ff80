import type { Regression } from './logistic-regression.js'

/** Parts that calls are dealt to by a hash of their ids. */
export const FOLDS = 5

/** Calls of a project that are alike in driver, direction and what the agent did. Plain data: it goes to a worker. */
export interface LiftGroups {
  /** Signals that are looked at. */
  readonly features: number
  /** Drivers with their directions. */
  readonly contexts: number
  /** Context of each group. */
  readonly context: Int32Array<ArrayBuffer>
  /** State of each signal in each group, group by group: 0 does not apply, 1 absent, 2 unclear, 3 present. */
  readonly states: Uint8Array<ArrayBuffer>
  /** Calls of each group in each fold, and those of them with a positive outcome: groups x FOLDS. */
  readonly calls: Uint32Array<ArrayBuffer>
  readonly positives: Uint32Array<ArrayBuffer>
}

/**
 * What tells the chances of a positive outcome, of calls in one fold, as those calls tell that are in the others. It does
 * not grow with the calls.
 */
export interface FoldFit {
  /** Share of positive calls in each context. */
  readonly shares: Float64Array<ArrayBuffer>
  readonly regression: Regression
  /** What a state counts, feature by feature; see RegressionRows. */
  readonly values: Float64Array<ArrayBuffer>
}

/** By fold. */
export type LiftFit = readonly FoldFit[]
