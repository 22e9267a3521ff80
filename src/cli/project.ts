import { defineCommand } from './define-command.js'
import { projectCreateCommand } from './project/project-create.js'
import { projectListCommand } from './project/project-list.js'
import { projectSetCommand } from './project/project-set.js'
import { projectShowCommand } from './project/project-show.js'

/** `earshot project …` */
export const projectCommand = defineCommand({
  command: 'project <command>',
  describe: 'Projects: the walls around sets of calls',
  builder: yargs =>
    yargs
      .command(projectCreateCommand)
      .command(projectListCommand)
      .command(projectShowCommand)
      .command(projectSetCommand)
      .demandCommand(1, 'Name a subcommand of "project"')
      .example('$0 project list', ''),
  handler: async () => undefined,
})
