import { Problem } from '../base/problem.js'

/** The sentence for an agent who is not there or not in scope: one text, so that nobody can tell which. */
export function agentNotFound(agentId: string): Problem {
  return new Problem('not_found', `Agent not found: ${agentId}`)
}
