import { changeTask, getTask } from '../../operations/tasks.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { UsageError } from '../usage-error.js'
import { withClient } from '../with-client.js'
import { parametersOf, taskFieldsOptions } from './task-fields-options.js'
import { taskIdOption } from './task-id-option.js'
import { taskLines } from './task-lines.js'

/** `earshot tasks set` */
export const tasksSetCommand = defineCommand({
  command: 'set <task_id>',
  describe: 'Change a task; parameters are replaced as a whole',
  builder: yargs =>
    yargs
      .positional('task_id', taskIdOption)
      .options({ ...projectOption, ...taskFieldsOptions })
      .option('enabled', { type: 'boolean', description: 'Run by the schedule; --no-enabled stops that' })
      .example('$0 tasks set task_7f3a --schedule "0 6 * * 1" --project shop', 'Mondays at six'),
  handler: async args => {
    const { name, schedule: cron, timeZone: time_zone, enabled, project, task_id: taskId } = args
    const parameters = parametersOf(args.parameter)
    if ([name, cron, time_zone, parameters, enabled].every(given => given === undefined)) {
      throw new UsageError('Nothing to set: give --name, --schedule, --time-zone, --parameter or --enabled')
    }
    const task = await withClient(globalFlags(args), async client => {
      const now =
        cron === undefined && time_zone === undefined
          ? undefined
          : (await client.run(getTask, { project, task_id: taskId })).schedule
      const schedule = now && { cron: cron ?? now.cron, time_zone: time_zone ?? now.time_zone }
      return await client.run(changeTask, { project, task_id: taskId, body: { name, schedule, parameters, enabled } })
    })
    await print(args.json, task, () => taskLines(task))
  },
})
