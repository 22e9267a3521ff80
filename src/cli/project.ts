import { z } from 'zod'
import { projectPatch } from '../access/project-fields.js'
import { changeProject, createProject, getProject, listProjects } from '../operations/projects.js'
import type { EvaluationSetting, ProjectView } from '../store/records/project.js'
import { maskKinds } from '../redact/mask.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'

const words = { project_id: 'Id of the project' }

/** What can be said about a project. */
const line = projectPatch.extend({
  redact: z.enum(['on', 'off']).optional().meta({ description: projectPatch.shape.redact.unwrap().description }),
})
const spelled = { verticals: 'vertical' }

function read({ redact, ...fields }: Partial<z.input<typeof line>>) {
  return redact === undefined ? fields : { ...fields, redact: redact === 'on' }
}

const create = operationCommand({
  command: 'create <project_id>',
  describe: 'Create a project',
  operation: createProject,
  words: { project_id: 'Id: a-z, 0-9, _ and -' },
  line,
  spelled,
  read,
  begins: true,
  examples: [['project create shop --name "Web shop" --timezone Europe/Berlin', '']],
  text: projectLines,
})

const list = operationCommand({
  command: 'list',
  describe: 'List the projects',
  operation: listProjects,
  examples: [['project list --json', '']],
  text: ({ projects }) =>
    table(
      ['Project', 'Name', 'Time zone', 'Created'],
      projects.map(one => [one.project_id, one.name, one.timezone, one.created_at]),
    ),
})

const show = operationCommand({
  command: 'show <project_id>',
  describe: 'Show a project',
  operation: getProject,
  words,
  examples: [['project show shop', '']],
  text: projectLines,
})

const set = operationCommand({
  command: 'set <project_id>',
  describe: 'Change the name, time zone, verticals, redaction, evaluation, outcome or doubtful calls of a project',
  operation: changeProject,
  words,
  line,
  spelled,
  read,
  examples: [
    ['project set shop --redact on', ''],
    ['project set shop --redact on --redact-kinds card,pin', 'mask these alone; cvv goes with card'],
    ['project set shop --outcome "survey>=4"', 'lift explains what customers answered, not what was predicted'],
  ],
  text: projectLines,
})

/** `earshot project …` */
export const projectCommand = commandGroup({
  name: 'project',
  describe: 'Projects: the walls around sets of calls',
  commands: yargs => yargs.command(create).command(list).command(show).command(set),
  example: 'list',
})

const evaluated: Readonly<Record<EvaluationSetting, string>> = {
  rules: 'by rules, as calls come in',
  model: 'by a model, in runs of "earshot evaluate" or a task',
  imported: 'none: calls stay as they come in',
}

/** A project for a reader. */
function projectLines(project: ProjectView): string {
  const { redact_kinds: masked } = project
  const kinds = masked.length === maskKinds.length ? 'personal data is' : `${masked.join(', ')} are`
  const verticals = project.verticals.length === 0 ? 'all' : project.verticals.join(', ')
  return [
    `Project    ${project.project_id}`,
    `Name       ${project.name}`,
    `Time zone  ${project.timezone}`,
    `Verticals  ${verticals}`,
    `Redact     ${project.redact ? `on: ${kinds} masked in calls and feedback that come in` : 'off'}`,
    `Evaluation ${evaluated[project.evaluation]}`,
    `Outcome    ${project.outcome}`,
    `Doubtful   ${project.doubtful === 'counted' ? 'counted in figures' : 'left out of figures'}`,
    `Created    ${project.created_at}`,
    '',
  ].join('\n')
}
