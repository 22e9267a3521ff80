import { listProjects } from '../../operations/projects.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print, table } from '../print.js'
import { withClient } from '../with-client.js'

/** `earshot project list` */
export const projectListCommand = defineCommand({
  command: 'list',
  describe: 'List the projects',
  builder: yargs => yargs.example('$0 project list --json', ''),
  handler: async args => {
    const projects = await withClient(globalFlags(args), client =>
      client.run(listProjects, {}).then(answer => answer.projects),
    )
    await print(args.json, { projects }, () =>
      table(
        ['Project', 'Name', 'Time zone', 'Created'],
        projects.map(project => [project.project_id, project.name, project.timezone, project.created_at]),
      ),
    )
  },
})
