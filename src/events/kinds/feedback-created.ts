import { z } from 'zod'
import { callSubject, eventKind } from './event-kind.js'

/** Somebody rated a call. */
export const feedbackCreated = eventKind({
  name: 'feedback.created',
  description: 'Feedback on a call was given. Its text stays in the service.',
  data: z.strictObject({
    feedback_id: z.string(),
    session_id: z.string(),
    agent_id: z.string().optional(),
    rating: z.int().min(1).max(5),
  }),
  subject: ({ session_id }) => callSubject(session_id),
})
