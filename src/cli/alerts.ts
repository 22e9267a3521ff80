import { alertsAddCommand } from './alerts/alerts-add.js'
import { alertsListCommand } from './alerts/alerts-list.js'
import { alertsRemoveCommand } from './alerts/alerts-remove.js'
import { alertsSetCommand } from './alerts/alerts-set.js'
import { alertsShowCommand } from './alerts/alerts-show.js'
import { defineCommand } from './define-command.js'

/** `earshot alerts …` */
export const alertsCommand = defineCommand({
  command: 'alerts <command>',
  describe: 'Alerts: what in calls raises the event alert.triggered',
  builder: yargs =>
    yargs
      .command(alertsAddCommand)
      .command(alertsListCommand)
      .command(alertsShowCommand)
      .command(alertsSetCommand)
      .command(alertsRemoveCommand)
      .demandCommand(1, 'Name a subcommand of "alerts"')
      .example('$0 alerts list --project shop', ''),
  handler: async () => undefined,
})
