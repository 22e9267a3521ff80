import { defineCommand } from './define-command.js'
import { tasksCreateCommand } from './tasks/tasks-create.js'
import { tasksDeleteCommand } from './tasks/tasks-delete.js'
import { tasksListCommand } from './tasks/tasks-list.js'
import { tasksRunCommand } from './tasks/tasks-run.js'
import { tasksRunsCommand } from './tasks/tasks-runs.js'
import { tasksSetCommand } from './tasks/tasks-set.js'
import { tasksShowCommand } from './tasks/tasks-show.js'

/** `earshot tasks …` */
export const tasksCommand = defineCommand({
  command: 'tasks <command>',
  describe: 'Scheduled tasks: reports, drop folders, retention',
  builder: yargs =>
    yargs
      .command(tasksListCommand)
      .command(tasksCreateCommand)
      .command(tasksShowCommand)
      .command(tasksSetCommand)
      .command(tasksRunCommand)
      .command(tasksRunsCommand)
      .command(tasksDeleteCommand)
      .demandCommand(1, 'Name a subcommand of "tasks"')
      .example('$0 tasks list --project shop', ''),
  handler: async () => undefined,
})
