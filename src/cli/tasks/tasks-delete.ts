import { deleteTask } from '../../operations/tasks.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { taskIdOption } from './task-id-option.js'

/** `earshot tasks delete` */
export const tasksDeleteCommand = defineCommand({
  command: 'delete <task_id>',
  describe: 'Delete a task and its history',
  builder: yargs =>
    yargs
      .positional('task_id', taskIdOption)
      .options(projectOption)
      .example('$0 tasks delete task_7f3a --project shop', ''),
  handler: async args => {
    await withClient(globalFlags(args), client =>
      client.run(deleteTask, { project: args.project, task_id: args.task_id }),
    )
    await print(args.json, { task_id: args.task_id, deleted: true }, () => `${args.task_id} is deleted\n`)
  },
})
