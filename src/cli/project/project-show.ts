import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { withOperations } from '../with-operations.js'
import { projectLines } from './project-lines.js'

/** `earshot project show` */
export const projectShowCommand = defineCommand({
  command: 'show <project_id>',
  describe: 'Show a project',
  builder: yargs =>
    yargs.positional('project_id', { type: 'string', demandOption: true, description: 'Id of the project' }),
  handler: async args => {
    const project = await withOperations(globalFlags(args), operations => operations.project(args.project_id))
    await print(args.json, project, () => projectLines(project))
  },
})
