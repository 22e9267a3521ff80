import { z } from 'zod'
import { newTeam, teamPatch } from '../access/teams.js'
import { teamView } from '../store/records/team.js'
import { operation } from './operation.js'

const TEAMS = '/projects/:project_id/teams'
const TEAM = `${TEAMS}/:team_id`

export const listTeams = operation({
  method: 'GET',
  url: TEAMS,
  access: 'project_admin',
  summary: 'List teams',
  table: 'teams',
  answer: z.strictObject({ teams: z.array(teamView) }),
  run: ({ projects, teams }, request) => ({
    teams: [...teams.list(projects.get(request.param('project_id')).project_id)],
  }),
})

export const createTeam = operation({
  method: 'POST',
  url: TEAMS,
  access: 'project_admin',
  summary: 'Create a team',
  description: 'A named list of agents. Keys that name it hear whoever is in it at the time of a request.',
  example: { body: { team_id: 'north', name: 'Team North', agents: ['Ana Silva'] } },
  conflicts: 'The project has a team of this id, or as many as it may have',
  answer: teamView,
  status: 201,
  body: newTeam,
  run: ({ projects, teams }, request, admin) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    return teams.create(projectId, request.body(), admin)
  },
})

export const getTeam = operation({
  method: 'GET',
  url: TEAM,
  access: 'project_admin',
  summary: 'Get one team',
  answer: teamView,
  run: ({ teams }, request) => teams.get(request.param('project_id'), request.param('team_id')),
})

export const changeTeam = operation({
  method: 'PATCH',
  url: TEAM,
  access: 'project_admin',
  summary: 'Change a team',
  description: 'Holds from the next request of each key that names it.',
  example: { body: { agents: ['Ana Silva', 'Ben Okafor'] } },
  answer: teamView,
  body: teamPatch,
  run: ({ teams }, request) => {
    const { project_id: projectId, team_id: id } = teams.get(request.param('project_id'), request.param('team_id'))
    return teams.patch(projectId, id, request.body())
  },
})

export const removeTeam = operation({
  method: 'DELETE',
  url: TEAM,
  access: 'project_admin',
  summary: 'Remove a team',
  description: 'Keys that name it hear nobody by it any more, also those that name nobody else.',
  answer: teamView,
  run: ({ teams }, request) => teams.remove(request.param('project_id'), request.param('team_id')),
})

/** Teams, by an administrator of their project. */
export const teamOperations = [listTeams, createTeam, getTeam, changeTeam, removeTeam] as const
