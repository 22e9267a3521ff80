import { defineCommand } from '../define-command.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { withEventOperations } from '../with-event-operations.js'
import { conditionText } from './alert-lines.js'

/** `earshot alerts list` */
export const alertsListCommand = defineCommand({
  command: 'list',
  describe: 'List the alerts of a project',
  builder: yargs => yargs.options(projectOption),
  handler: async args => {
    const alerts = await withEventOperations(args, operations => operations.alerts())
    await print(args.json, { alerts }, () =>
      table(
        ['Alert', 'Name', 'Condition', 'Agents', 'Active', 'Last triggered'],
        alerts.map(one => [
          one.alert_id,
          one.name,
          conditionText(one.condition),
          one.agents.join(', '),
          one.active ? 'yes' : 'no',
          one.last_triggered_at ?? '',
        ]),
      ),
    )
  },
})
