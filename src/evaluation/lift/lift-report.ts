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
  lifts: count.meta({ description: 'Calls that have an outcome lift now' }),
  changed: count.meta({ description: 'Calls whose lift is another than before, or gone' }),
  none: z.string().optional().meta({ description: 'Why there is none' }),
})
export type LiftReport = z.output<typeof liftReport>
