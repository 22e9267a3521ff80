import { z } from 'zod'
import { callSubject, eventKind } from './event-kind.js'

/** A call has an evaluation it did not have before. */
export const interactionEvaluated = eventKind({
  name: 'interaction.evaluated',
  description: 'A call with an evaluation was stored, or its evaluation changed.',
  data: z.strictObject({
    session_id: z.string(),
    agent_id: z.string().optional(),
    created_dt: z.string(),
    score: z.number().optional(),
    predicted_csat: z.number().optional(),
    lift: z.number().optional(),
    lift_band: z.string().optional(),
    signals: z.array(z.string()).meta({ description: 'Keys of the signals that are present' }),
    guidance: z.array(z.string()).meta({ description: 'Keys of the guidance' }),
    evaluated_at: z.string().optional(),
  }),
  subject: ({ session_id }) => callSubject(session_id),
})
