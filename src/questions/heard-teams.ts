import type { Scope } from '../pipeline/index.js'
import type { TeamRecord } from '../store/records/team.js'

/** Where the teams of projects are looked up. */
export interface TeamLookup {
  find(projectId: string, teamId: string): TeamRecord | undefined
  list(projectId: string): readonly TeamRecord[]
}

export interface HeardTeam {
  readonly team_id: string
  readonly name: string
  /** How many of its agents the caller hears. */
  readonly agents: number
}

/** Teams as a caller hears of them: of each the agents within the scope, and of teams without any nothing. */
export interface HeardTeams {
  /** Names of agents; undefined for a team that is not there, or none of whose agents is heard. */
  agentsOf(teamId: string): readonly string[] | undefined
  /** The first so many, by id. */
  list(most: number): readonly HeardTeam[]
}

export function heardTeams(teams: TeamLookup, { projectId, agents: heard }: Scope): HeardTeams {
  const isHeard = heard === 'all' ? undefined : new Set(heard)
  const within = ({ agents }: TeamRecord) => (isHeard === undefined ? agents : agents.filter(name => isHeard.has(name)))
  return {
    agentsOf: teamId => {
      const found = teams.find(projectId, teamId)
      const agents = found && within(found)
      // Who hears everybody may ask of a team without anybody in it.
      return agents !== undefined && (agents.length > 0 || isHeard === undefined) ? agents : undefined
    },
    list: most => {
      const listed: HeardTeam[] = []
      for (const team of teams.list(projectId)) {
        if (listed.length === most) break
        const agents = within(team).length
        if (agents > 0) listed.push({ team_id: team.team_id, name: team.name, agents })
      }
      return listed
    },
  }
}
