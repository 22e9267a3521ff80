import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'

/**
 * The sentence for an agent who is not there or not in scope: one text, so that nobody can tell which.
 *
 * @param closest id of one who is in scope and may be meant
 */
export function agentNotFound(agentId: string, closest?: string): Problem {
  const hint = closest === undefined ? '' : `; did you mean the agent_id ${echo(closest)}?`
  return new Problem('not_found', `Agent not found: ${agentId}${hint}`)
}
