import { getProject } from '../../operations/projects.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { withClient } from '../with-client.js'
import { projectLines } from './project-lines.js'

/** `earshot project show` */
export const projectShowCommand = defineCommand({
  command: 'show <project_id>',
  describe: 'Show a project',
  builder: yargs =>
    yargs
      .positional('project_id', { type: 'string', demandOption: true, description: 'Id of the project' })
      .example('$0 project show shop', ''),
  handler: async args => {
    const project = await withClient(globalFlags(args), client =>
      client.run(getProject, { project_id: args.project_id }),
    )
    await print(args.json, project, () => projectLines(project))
  },
})
