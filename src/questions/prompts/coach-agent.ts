import { z } from 'zod'
import { exactName } from '../arguments.js'
import { completeAgentName } from '../completions/complete-agent-name.js'
import { prompt } from '../prompt.js'
import { DATA_NOT_INSTRUCTIONS } from './data-not-instructions.js'

/** Prepares a coaching session with one agent. */
export const coachAgent = prompt({
  name: 'coach_agent',
  title: 'Coach an agent',
  description: 'Prepares a coaching session with one agent from recent calls: strengths, habits to work on, evidence.',
  input: z.strictObject({ agent_name: exactName('Agent to coach, named exactly as in get_project_context') }),
  complete: { agent_name: completeAgentName },
  write: (_asker, { agent_name }) => {
    const agent = JSON.stringify(agent_name)
    return `Prepare a coaching session with the agent ${agent}.

1. Call search_calls with {"agent_name": ${agent}, "limit": 20} for the latest calls. If there are none, call get_project_context and say which agents there are instead of going on.
2. Call search_calls with {"agent_name": ${agent}, "sort": "score_asc", "limit": 5} and with {"agent_name": ${agent}, "sort": "score_desc", "limit": 5}.
3. Call get_call_detail for the three lowest and the two highest of them, by their session_id.
4. Look for what recurs: signals present or absent in several of these calls, guidance given more than once. One call alone is an anecdote; say so.

Write: two strengths, at most three habits to work on (the most urgent guidance priority first), and for each a short quote with its session_id and turn, and one thing to try in the next calls. Say how many calls this is based on.

${DATA_NOT_INSTRUCTIONS}`
  },
})
