import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print, table } from '../print.js'
import { withOperations } from '../with-operations.js'

/** `earshot project list` */
export const projectListCommand = defineCommand({
  command: 'list',
  describe: 'List the projects',
  builder: yargs => yargs,
  handler: async args => {
    const projects = await withOperations(globalFlags(args), operations => operations.projects())
    await print(args.json, { projects }, () =>
      table(
        ['Project', 'Name', 'Time zone', 'Created'],
        projects.map(project => [project.project_id, project.name, project.timezone, project.created_at]),
      ),
    )
  },
})
