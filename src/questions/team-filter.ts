import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { exactName } from './arguments.js'
import type { Asker } from './asker.js'

/** The argument of questions that can be asked of a team. */
export const teamArgument = exactName('Agents of this team only: a team_id of get_project_context').optional()

/** Most teams that are named where one is not known. */
const MOST_NAMED = 10

/**
 * The conditions that a team makes. One of whose agents the caller hears none is as unknown as one that is not there.
 * @throws Problem `invalid_input`
 */
export function teamConditions(asker: Asker, teamId: string | undefined): readonly object[] {
  if (teamId === undefined) return []
  const agents = asker.teams.agentsOf(teamId)
  if (agents !== undefined) return [{ agent_name: { $in: agents } }]
  const known = asker.teams.list(MOST_NAMED).map(({ team_id: id }) => echo(id))
  const there = known.length === 0 ? 'there are none' : `teams are ${known.join(', ')}`
  throw new Problem('invalid_input', `Argument "team" ${echo(teamId)} is no team with agents you hear; ${there}`)
}
