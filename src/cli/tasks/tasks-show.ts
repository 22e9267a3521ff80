import { getTask } from '../../operations/tasks.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { taskIdOption } from './task-id-option.js'
import { taskLines } from './task-lines.js'

/** `earshot tasks show` */
export const tasksShowCommand = defineCommand({
  command: 'show <task_id>',
  describe: 'Show a task and when it is due',
  builder: yargs =>
    yargs
      .positional('task_id', taskIdOption)
      .options(projectOption)
      .example('$0 tasks show task_7f3a --project shop', ''),
  handler: async args => {
    const task = await withClient(globalFlags(args), client =>
      client.run(getTask, { project: args.project, task_id: args.task_id }),
    )
    await print(args.json, task, () => taskLines(task))
  },
})
