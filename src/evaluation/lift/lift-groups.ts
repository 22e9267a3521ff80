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

/** Chances of a positive outcome, as those calls tell that are in another fold. */
export interface LiftFit {
  /** By context and fold: contexts x FOLDS. */
  readonly context: Float64Array<ArrayBuffer>
  /** By group and fold: groups x FOLDS; 0 where the group has no call in the fold. */
  readonly behavioral: Float64Array<ArrayBuffer>
}
