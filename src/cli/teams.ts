import { changeTeam, createTeam, getTeam, listTeams, removeTeam } from '../operations/teams.js'
import type { TeamRecord } from '../store/records/team.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'

const words = { team_id: 'Id of the team (team_id)' }
const spelled = { agents: 'agent' }

const list = operationCommand({
  command: 'list',
  describe: 'List the teams of a project',
  operation: listTeams,
  examples: [['teams list --project shop', '']],
  text: ({ teams }) =>
    table(
      ['Team', 'Name', 'Agents'],
      teams.map(one => [one.team_id, one.name, one.agents.join(', ')]),
    ),
})

const create = operationCommand({
  command: 'create <team_id>',
  describe: 'Create a team',
  operation: createTeam,
  words: { team_id: 'Id: a-z, 0-9, _ and -' },
  spelled,
  examples: [['teams create north --agent "Sam Lee" --agent "Ana Silva" --project shop', 'for keys mint --team north']],
  text: teamLines,
})

const show = operationCommand({
  command: 'show <team_id>',
  describe: 'Show a team',
  operation: getTeam,
  words,
  examples: [['teams show north --project shop', '']],
  text: teamLines,
})

const set = operationCommand({
  command: 'set <team_id>',
  describe: 'Change the name or the agents of a team, all of them',
  operation: changeTeam,
  words,
  spelled,
  examples: [
    ['teams set north --agent "Sam Lee" --project shop', 'Sam Lee and nobody else'],
    ['teams set north --unset agent --project shop', 'nobody'],
  ],
  text: teamLines,
})

const remove = operationCommand({
  command: 'remove <team_id>',
  describe: 'Remove a team: keys hear nobody by it any more',
  operation: removeTeam,
  words,
  examples: [['teams remove north --project shop', '']],
  text: ({ team_id: id }) => `Removed ${id}\n`,
})

/** `earshot teams …` */
export const teamsCommand = commandGroup({
  name: 'teams',
  describe: 'Teams: named lists of agents, for keys',
  commands: yargs => yargs.command(list).command(create).command(show).command(set).command(remove),
  example: 'list --project shop',
})

/** A team for a reader. */
function teamLines(one: TeamRecord): string {
  return [
    `Team     ${one.team_id}`,
    `Name     ${one.name}`,
    `Project  ${one.project_id}`,
    `Agents   ${one.agents.length === 0 ? 'none' : one.agents.join(', ')}`,
    `Created  ${one.created_at} by ${one.created_by}`,
    ...(one.changed_at === undefined ? [] : [`Changed  ${one.changed_at}`]),
    '',
  ].join('\n')
}
