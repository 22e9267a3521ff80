import { checkTask, createTask } from '../../operations/tasks.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { textOption } from '../text-option.js'
import { withClient } from '../with-client.js'
import { parametersOf, taskFieldsOptions } from './task-fields-options.js'
import { checkedTaskLines, taskLines } from './task-lines.js'

/** `earshot tasks create` */
export const tasksCreateCommand = defineCommand({
  command: 'create <kind>',
  describe: 'Create a task and show when it is due',
  builder: yargs =>
    yargs
      .positional('kind', {
        type: 'string',
        demandOption: true,
        description: 'What it does: change_report, import_folder, retention, knowledge_base_refresh, webhook_digest …',
      })
      .options({ ...projectOption, ...taskFieldsOptions })
      .options({
        schedule: { ...textOption('Cron expression, such as "0 6 * * 1" or @daily'), demandOption: true },
        disabled: { type: 'boolean', default: false, description: 'Run only when asked to' },
        'dry-run': {
          type: 'boolean',
          default: false,
          description: 'Check it, show when it would be due, keep nothing',
        },
      })
      .example('$0 tasks create retention --project demo --schedule "0 3 * * *" --parameter calls_after_days=365', '')
      .example('$0 tasks create import_folder --project demo --schedule "*/5 * * * *" --parameter folder=drop', ''),
  handler: async args => {
    const fields = {
      kind: args.kind,
      name: args.name,
      schedule: { cron: args.schedule, time_zone: args.timeZone },
      parameters: parametersOf(args.parameter),
      enabled: !args.disabled,
    }
    if (args.dryRun) {
      const checked = await withClient(globalFlags(args), client =>
        client.run(checkTask, { project: args.project, body: fields }),
      )
      await print(args.json, checked, () => checkedTaskLines(checked))
      return
    }
    const task = await withClient(globalFlags(args), client =>
      client.run(createTask, { project: args.project, body: fields }),
    )
    await print(args.json, task, () => taskLines(task))
  },
})
