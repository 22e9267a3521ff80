import { z } from 'zod'

const count = z.int().min(0)

/** What fitting outcome lift came to for the calls of one evaluator, by the project's rubric as it is. */
export const liftReport = z.strictObject({
  evaluator: z.enum(['rules', 'model']),
  outcome: z.string().meta({
    description:
      "What says how a call came out: predicted_csat (without what the agent did), or the project's own field of session_metadata",
  }),
  calls: count.meta({
    description:
      'Evaluated calls that have this outcome and were fitted: of more than 250,000 a part, the same each time',
  }),
  positive: count.meta({ description: 'Those whose outcome is positive' }),
  lifts: count.meta({
    description:
      'Calls that have an outcome lift now; where none was fitted, those that keep theirs of the version of the rubric before',
  }),
  changed: count.meta({ description: 'Calls whose lift is another than before, or gone' }),
  lost: count.optional().meta({
    description:
      'Calls that have none any more, since another version of the rubric evaluated them, until they are evaluated again',
  }),
  none: z.string().optional().meta({ description: 'Why none was fitted' }),
})
export type LiftReport = z.output<typeof liftReport>

/** What a fit came to for calls that another version of the rubric evaluated, as a sentence without its full stop; undefined where there are none. */
export function ofOtherVersions({ lifts, lost = 0, none }: LiftReport): string | undefined {
  if (none !== undefined && lifts > 0)
    return `Until then ${lifts} calls keep the lift they have by the version of the rubric before`
  if (lost === 0) return undefined
  return `${lost} calls that another version of the rubric evaluated have none until they are evaluated again (earshot evaluate --stale)`
}
