import { z } from 'zod'

const count = z.int().min(0)

/** What fitting outcome lift came to for the calls of one evaluator, by the project's rubric as it is. */
export const liftReport = z.strictObject({
  evaluator: z.enum(['rules', 'model']),
  calls: count.meta({ description: 'Evaluated calls with a predicted satisfaction' }),
  positive: count.meta({ description: 'Those whose outcome is positive without what the agent did' }),
  lifts: count.meta({ description: 'Calls that have an outcome lift now' }),
  changed: count.meta({ description: 'Calls whose lift is another than before, or gone' }),
  none: z.string().optional().meta({ description: 'Why there is none' }),
})
export type LiftReport = z.output<typeof liftReport>
