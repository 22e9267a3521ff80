import { z } from 'zod'
import { alertCondition } from '../alerts/alert-condition.js'
import { callSubject, eventKind } from './event-kind.js'
import { toldChange } from './told-change.js'

/** What an alert waits for has happened. */
export const alertTriggered = eventKind({
  name: 'alert.triggered',
  description: 'A call met the condition of an alert, or a change it waits for was found.',
  data: z.strictObject({
    alert_id: z.string(),
    condition: alertCondition,
    session_id: z.string().optional().meta({ description: 'The call; absent for a change' }),
    agent_id: z.string().optional(),
    score: z.number().optional(),
    predicted_csat: z.number().optional(),
    changes: z.array(toldChange).optional(),
  }),
  subject: ({ alert_id, session_id }) => (session_id === undefined ? `alert/${alert_id}` : callSubject(session_id)),
})
