import { globalFlags } from '../global-options.js'
import { listAlerts } from '../../operations/alerts.js'
import { defineCommand } from '../define-command.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { conditionText } from './alert-lines.js'

/** `earshot alerts list` */
export const alertsListCommand = defineCommand({
  command: 'list',
  describe: 'List the alerts of a project',
  builder: yargs => yargs.options(projectOption).example('$0 alerts list --project shop', ''),
  handler: async args => {
    const alerts = await withClient(globalFlags(args), client =>
      client.run(listAlerts, { project: args.project }).then(answer => answer.alerts),
    )
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
