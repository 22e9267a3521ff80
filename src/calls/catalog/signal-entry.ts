import { z } from 'zod'

/**
 * What a signal tells about: a dimension of the project's rubric (opening, listening, process, courtesy, resolution and
 * closing in the default one), or a group that weighs nothing, such as `churn`.
 */
export const signalCategory = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be a word of a-z, 0-9 and _')
  .meta({
    description: "What the signal tells about: a dimension of the project's rubric, or a group that weighs nothing.",
  })

/** An entry of the signal catalog. `applicable_verticals` empty means every vertical. */
export const signalEntry = z
  .strictObject({
    signal_key: z
      .string()
      .regex(/^sig\.[a-z0-9_.]{1,100}$/, 'must look like sig.greeting_given')
      .meta({ description: 'Key of the signal, as calls name it.' }),
    display_name: z.string().min(1).max(120).meta({ description: 'Its name for people.' }),
    description: z.string().min(1).max(1_000).meta({ description: 'When a call shows it.' }),
    category: signalCategory,
    applicable_verticals: z
      .array(z.string().min(1).max(60))
      .default([])
      .meta({ description: 'Lines of business it applies to; empty means all.' }),
    active: z.boolean().default(true).meta({ description: 'Whether evaluations still look for it.' }),
  })
  .meta({ description: 'A signal: something a call shows or does not show.' })

export type SignalEntry = z.infer<typeof signalEntry>
