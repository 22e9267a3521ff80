import { z } from 'zod'
import { sessionId } from './arguments.js'
import { oneCall } from './one-call.js'
import { question } from './question.js'

/** Whether a call is there for the caller, for what is done to a call rather than read of it. */
export const findCall = question({
  name: 'find_call',
  title: 'Find a call',
  description: 'Whether a call is in scope, and whose it is.',
  input: z.strictObject({ interaction_id: sessionId }),
  output: z.strictObject({ session_id: z.string(), agent_id: z.string().optional() }),
  answer: async (asker, { interaction_id: id }) => {
    const found = await oneCall(asker, id, { $project: { _id: 0, session_id: 1, agent_id: 1 } })
    const call = z.object({ session_id: z.string(), agent_id: z.string().nullish() }).parse(found)
    return { session_id: call.session_id, ...(typeof call.agent_id === 'string' ? { agent_id: call.agent_id } : {}) }
  },
})
