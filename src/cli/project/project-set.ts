import { changeProject } from '../../operations/projects.js'
import { projectPatch } from '../../access/project-fields.js'
import { parseOptions } from '../parse-options.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { UsageError } from '../usage-error.js'
import { withClient } from '../with-client.js'
import { projectFieldsOptions } from './project-fields-options.js'
import { projectLines } from './project-lines.js'

/** `earshot project set` */
export const projectSetCommand = defineCommand({
  command: 'set <project_id>',
  describe: 'Change the name, time zone, verticals, redaction or evaluation of a project',
  builder: yargs =>
    yargs
      .positional('project_id', { type: 'string', demandOption: true, description: 'Id of the project' })
      .options(projectFieldsOptions)
      .example('$0 project set shop --redact on', ''),
  handler: async args => {
    const { project_id, ...given } = args
    const { name, timezone, vertical, redact, evaluation } = given
    if ([name, timezone, vertical, redact, evaluation].every(one => one === undefined)) {
      throw new UsageError('Nothing to set: give --name, --timezone, --vertical, --redact or --evaluation')
    }
    const patch = parseOptions(projectPatch, {
      name,
      timezone,
      verticals: vertical,
      redact: redact && redact === 'on',
      evaluation,
    })
    const project = await withClient(globalFlags(args), client =>
      client.run(changeProject, { project_id, body: patch }),
    )
    await print(args.json, project, () => projectLines(project))
  },
})
