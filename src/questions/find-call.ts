import { z } from 'zod'
import { callRecord } from '../calls/call-record.js'
import { sessionId } from './arguments.js'
import { defined } from './defined.js'
import { oneCall } from './one-call.js'
import { question } from './question.js'
import { readDocuments } from './read-document.js'

const { agent_id, score, signals, recording_url } = callRecord.shape
const stored = z.object({ session_id: z.string(), agent_id, score, signals, recording_url, turns: z.int() })

/** Whether a call is there for the caller, for what is done to a call rather than read of it. */
export const findCall = question({
  name: 'find_call',
  title: 'Find a call',
  description: 'Whether a call is in scope, whose it is, and what may be said of it.',
  input: z.strictObject({
    interaction_id: sessionId,
    judged: z.boolean().default(false).describe('With what may be judged of it: score, signals and number of turns'),
    recorded: z.boolean().default(false).describe('With where its recording is'),
  }),
  output: z.strictObject({
    session_id: z.string(),
    agent_id: z.string().optional(),
    score: z.number().optional(),
    recording_url: z.string().optional(),
    signals: z.array(z.strictObject({ key: z.string(), state: z.string() })),
    turns: z.int().describe('0 where they were not asked for, or may not be seen'),
  }),
  answer: async (asker, { interaction_id: id, judged, recorded }) => {
    const found = await oneCall(asker, id, {
      $project: {
        _id: 0,
        session_id: 1,
        agent_id: 1,
        ...(judged && { score: 1, signals: 1 }),
        ...(recorded && { recording_url: 1 }),
        turns: judged && asker.text === 'full' ? { $size: { $ifNull: ['$transcript', []] } } : { $literal: 0 },
      },
    })
    const [call] = readDocuments(stored, [found])
    const { signals = [], ...rest } = call!
    return defined({ ...rest, signals: signals.map(({ key, state }) => ({ key, state })) })
  },
})
