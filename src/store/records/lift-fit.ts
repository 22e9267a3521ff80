import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'

const numbers = z.array(z.number())

/** How well it is known what signals do; nothing here grows with the calls. */
const signalEffects = z.strictObject({
  /** Keys of the signals that are looked at. */
  signals: z.array(z.string()),
  /** Mean of each over the calls to which it applies. */
  means: numbers,
  /**
   * Covariance of what each does to the log odds of all agents, as the sum of outer products of these, and of `rest` on
   * the diagonal: exact for as many signals as there are factors, else the largest.
   */
  factors: z.array(numbers),
  rest: numbers,
})

/**
 * What calls with an agent move beyond what signals show: difference of the share of positive outcomes, and the ends of
 * its 95 % interval.
 */
const agentEffect = z.tuple([z.number(), z.number(), z.number()])

/** A fit of outcome lift to the calls of one evaluator: what lifts were made of. It names nobody. */
export const liftFit = z.strictObject({
  evaluator: z.enum(['rules', 'model']),
  rubric: z.string(),
  rubric_version: z.string(),
  /** What the lifts explain: a project's setting as it was then. */
  outcome: z.string(),
  /** What lifts explain that calls have from fits before this one; none once its own are written to the end. */
  before: z.array(z.string()),
  /** Undefined until all its lifts are written, and where there are too few calls for any. */
  effects: signalEffects.optional(),
  /** By a hash of their id and name (agentKey); of those with most calls. */
  agents: z.record(z.string(), agentEffect).optional(),
})
export type LiftFitRecord = Immutable<z.output<typeof liftFit>>
export type SignalEffectsRecord = NonNullable<LiftFitRecord['effects']>

/** Stands for an agent of a project, told apart by id and name, in a fit: names end with their calls. */
export function agentKey(projectId: string, agentId: string, agentName: string): string {
  return createHash('sha256')
    .update(JSON.stringify([projectId, agentId, agentName]))
    .digest('base64url')
    .slice(0, 22)
}
