import { fitLift } from './fit-lift.js'
import type { LiftFit, LiftGroups } from './lift-groups.js'

/** What a worker thread runs. */
export function fitLiftInWorker(groups: LiftGroups): LiftFit {
  return fitLift(groups)
}
