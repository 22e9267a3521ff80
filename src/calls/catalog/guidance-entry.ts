import { z } from 'zod'

/** An entry of the guidance catalog. `applicable_verticals` empty means every vertical. */
export const guidanceEntry = z
  .strictObject({
    guide_key: z
      .string()
      .regex(/^guide\.[a-z0-9_.]{1,100}$/, 'must look like guide.verify_identity')
      .meta({ description: 'Key of the entry, as calls name it.' }),
    display_name: z.string().min(1).max(120).meta({ description: 'Its name for people.' }),
    description: z.string().min(1).max(1_000).meta({ description: 'What to do, or what was done well.' }),
    guidance_kind: z
      .enum(['opportunity', 'excellence'])
      .meta({ description: 'Something to work on, or something done well.' }),
    priority: z.enum(['p0', 'p1', 'p2']).meta({ description: 'p0 is the most urgent.' }),
    actionability: z
      .enum(['high', 'medium', 'low'])
      .meta({ description: 'How far the agent alone can act on it: high needs nobody else.' }),
    signal_keys: z.array(z.string().min(1).max(104)).meta({ description: 'The signals that trigger it.' }),
    applicable_verticals: z
      .array(z.string().min(1).max(60))
      .default([])
      .meta({ description: 'Lines of business it applies to; empty means all.' }),
    active: z.boolean().default(true).meta({ description: 'Whether evaluations still give it.' }),
  })
  .meta({ description: 'A coaching entry: an opportunity or an excellence.' })

export type GuidanceEntry = z.infer<typeof guidanceEntry>
