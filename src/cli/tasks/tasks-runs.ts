import { listTaskRuns } from '../../operations/tasks.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { taskIdOption } from './task-id-option.js'

/** `earshot tasks runs` */
export const tasksRunsCommand = defineCommand({
  command: 'runs <task_id>',
  describe: 'List the runs of a task, newest first',
  builder: yargs =>
    yargs
      .positional('task_id', taskIdOption)
      .options(projectOption)
      .option('limit', { type: 'number', requiresArg: true, default: 20, description: 'Most runs to show, 1 to 100' })
      .example('$0 tasks runs task_7f3a --limit 5 --project shop', ''),
  handler: async args => {
    const page = await withClient(globalFlags(args), client =>
      client.run(listTaskRuns, { project: args.project, task_id: args.task_id, query: { limit: args.limit } }),
    )
    await print(args.json, page, () =>
      table(
        ['Began', 'Why', 'State', 'Took', 'Result'],
        page.runs.map(run => [
          run.started_at,
          run.trigger,
          run.state,
          run.duration_ms === undefined ? '' : `${(run.duration_ms / 1000).toFixed(1)} s`,
          run.summary ?? run.error ?? '',
        ]),
      ),
    )
  },
})
