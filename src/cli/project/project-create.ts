import { createProject } from '../../operations/projects.js'
import { newProject } from '../../access/project-fields.js'
import { parseOptions } from '../parse-options.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { withClient } from '../with-client.js'
import { projectFieldsOptions } from './project-fields-options.js'
import { projectLines } from './project-lines.js'

/** `earshot project create` */
export const projectCreateCommand = defineCommand({
  command: 'create <project_id>',
  describe: 'Create a project',
  builder: yargs =>
    yargs
      .positional('project_id', { type: 'string', demandOption: true, description: 'Id: a-z, 0-9, _ and -' })
      .options(projectFieldsOptions)
      .example('$0 project create shop --name "Web shop" --timezone Europe/Berlin', ''),
  handler: async args => {
    const { project_id, name, timezone, vertical, redact, evaluation } = args
    const fields = parseOptions(newProject, {
      project_id,
      name,
      timezone,
      verticals: vertical,
      redact: redact && redact === 'on',
      evaluation,
    })
    const project = await withClient(globalFlags(args), client => client.run(createProject, { body: fields }), {
      begins: true,
    })
    await print(args.json, project, () => projectLines(project))
  },
})
