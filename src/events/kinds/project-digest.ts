import { z } from 'zod'
import { eventKind } from './event-kind.js'

/** What a period was like, in numbers. */
export const projectDigest = eventKind({
  name: 'project.digest',
  description: 'A webhook_digest task summed up a period: calls, scores and lift.',
  data: z.strictObject({
    task_id: z.string(),
    run_id: z.string(),
    from: z.string(),
    to: z.string(),
    time_zone: z.string(),
    calls: z.int(),
    evaluated: z.int(),
    scored_calls: z.int(),
    average_score: z.number().optional(),
    positive_share: z.number().optional(),
    average_predicted_csat: z.number().optional(),
    average_lift: z.number().optional(),
  }),
  subject: ({ task_id }) => `task/${task_id}`,
})
