import { listTasks } from '../../operations/tasks.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'

const HEAD = ['Task', 'Name', 'Kind', 'Schedule', 'Last run', 'State', 'Next run']

/** `earshot tasks list` */
export const tasksListCommand = defineCommand({
  command: 'list',
  describe: 'List the tasks of a project',
  builder: yargs => yargs.options(projectOption).example('$0 tasks list --project shop --json', ''),
  handler: async args => {
    const tasks = await withClient(globalFlags(args), client =>
      client.run(listTasks, { project: args.project }).then(answer => answer.tasks),
    )
    await print(args.json, { tasks }, () =>
      table(
        HEAD,
        tasks.map(task => [
          task.task_id,
          task.name,
          task.kind,
          `${task.schedule.cron} (${task.schedule.time_zone})`,
          task.last_run ?? '',
          task.last_state ?? '',
          task.enabled ? (task.next_run ?? 'never') : 'disabled',
        ]),
      ),
    )
  },
})
