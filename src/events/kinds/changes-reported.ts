import { z } from 'zod'
import { eventKind } from './event-kind.js'
import { reportedChange } from './told-change.js'

const period = z.strictObject({ from: z.string(), to: z.string(), calls: z.int() })

/** A task has looked for changes. */
export const changesReported = eventKind({
  name: 'changes.reported',
  description: 'A change_report task looked for what is different from before, found or not.',
  data: z.strictObject({
    task_id: z.string(),
    run_id: z.string(),
    window: period,
    baseline: period,
    tested: z.int(),
    total: z.int().meta({ description: 'Findings; the most significant ones are listed' }),
    changes: z.array(reportedChange),
    detectable: z
      .strictObject({
        score: z.number().optional(),
        shares: z.array(z.strictObject({ share: z.number(), change: z.number() })),
      })
      .meta({ description: 'What would have been found four times in five, had it changed by so much' }),
  }),
  subject: ({ task_id }) => `task/${task_id}`,
})
