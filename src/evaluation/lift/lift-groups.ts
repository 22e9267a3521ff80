import type { SignalEffects } from './fit-effects.js'

/** Parts that calls are dealt to by a hash of their ids. */
export const FOLDS = 5

/** Calls of a project that are alike in driver, direction, agent and what the agent did. Plain data: it goes to a worker. */
export interface LiftGroups {
  /** Signals that are looked at. */
  readonly features: number
  /** Drivers with their directions. */
  readonly contexts: number
  readonly agents: number
  /** Context and agent of each group. */
  readonly context: Int32Array<ArrayBuffer>
  readonly agent: Int32Array<ArrayBuffer>
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
  /** Share of positive calls in each context, and of one that has none. */
  readonly shares: Float64Array<ArrayBuffer>
  /** Log odds of a call of each context whose signals add nothing: the mean chance of its calls is its share then. */
  readonly offsets: Float64Array<ArrayBuffer>
  readonly effects: SignalEffects
  /** Mean of each signal over the calls to which it applies. */
  readonly means: Float64Array<ArrayBuffer>
}

/** What was fitted to some calls. */
export interface LiftFit {
  /** By fold. */
  readonly folds: readonly FoldFit[]
  readonly agents: AgentEffects
}

/**
 * What calls with each agent move beyond what signals show: how much the share of positive outcomes in their calls differs
 * from what it would be with an agent of average doing, with its 95 % interval.
 */
export interface AgentEffects {
  readonly values: Float64Array<ArrayBuffer>
  readonly lows: Float64Array<ArrayBuffer>
  readonly highs: Float64Array<ArrayBuffer>
  /** Calls of each that tell it. */
  readonly calls: Float64Array<ArrayBuffer>
}
