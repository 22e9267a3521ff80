import { z } from 'zod'
import { exactName } from '../arguments.js'
import { prompt } from '../prompt.js'
import { normalName } from '../../base/text.js'
import { type Complete, firstOf } from '../completion.js'
import { agentKind } from '../kinds.js'
import { namesInScope } from '../names-in-scope.js'
import { DATA_NOT_INSTRUCTIONS } from './data-not-instructions.js'

/** Most agents that are looked through; a project has hundreds. */
const MOST_AGENTS = 100_000

/** Names of agents in scope that contain what was typed, in any case: those that begin with it first, then by calls. */
const completeAgentName: Complete = async (asker, typed) => {
  const names = await namesInScope(asker, agentKind, MOST_AGENTS)
  const sought = normalName(typed).toLowerCase()
  const begins = (name: string) => name.toLowerCase().startsWith(sought)
  const contains = (name: string) => name.toLowerCase().includes(sought)
  return firstOf([...names.filter(begins), ...names.filter(name => !begins(name) && contains(name))])
}

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

1. Call get_agent_performance with {"agent_name": ${agent}, "include_signals": true, "min_calls": 1} for how the agent is doing, against the average of all calls you may see. If there is no such agent, call get_project_context and say which agents there are instead of going on.
2. Call detect_changes with {"agent_name": ${agent}, "period": "last 30 days"} for what is different from the 30 days before. An empty list means that nothing is beyond chance, not that nothing happened.
3. Call search_guidance with {"limit": 100} for what the guidance keys found in step 1 advise.
4. Call search_calls with {"agent_name": ${agent}, "sort": "score_asc", "limit": 5} and with {"agent_name": ${agent}, "sort": "score_desc", "limit": 5}, and get_call_detail for the three lowest and the two highest of them, by their session_id. For one habit, search_calls with "guide_key" or "signal_key" beside the agent's name lists the calls that show it.
5. Look for what recurs: a habit is what several calls show. One call alone is an anecdote; say so.

Write: two strengths, at most three habits to work on (the most urgent guidance priority first), and for each how often it occurs, a short quote with its session_id and turn, and one thing to try in the next calls. Say how many calls this is based on, and give averages with their interval.

${DATA_NOT_INSTRUCTIONS}`
  },
})
