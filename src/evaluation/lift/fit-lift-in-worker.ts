import { move, transferableSymbol, valueSymbol } from 'piscina'
import { fitLift } from './fit-lift.js'
import type { LiftGroups } from './lift-groups.js'

/** What a worker thread runs: what it found changes hands instead of being copied. */
export function fitLiftInWorker(groups: LiftGroups): ReturnType<typeof move> {
  const fit = fitLift(groups)
  return move({ [transferableSymbol]: [fit.context.buffer, fit.behavioral.buffer], [valueSymbol]: fit })
}
