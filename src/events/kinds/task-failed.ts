import { z } from 'zod'
import { eventKind } from './event-kind.js'

/** A scheduled task ran and failed. */
export const taskFailed = eventKind({
  name: 'task.failed',
  description: 'A run of a scheduled task failed. Its history says why.',
  data: z.strictObject({
    task_id: z.string(),
    kind: z.string(),
    run_id: z.string().optional(),
    failed_at: z.string(),
    code: z.string().optional().meta({ description: 'The stable word of the failure' }),
  }),
  subject: ({ task_id }) => `task/${task_id}`,
})
