import { globalFlags } from '../global-options.js'
import { removeAlert } from '../../operations/alerts.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { alertIdOption } from './alert-id-option.js'

/** `earshot alerts remove` */
export const alertsRemoveCommand = defineCommand({
  command: 'remove <alert_id>',
  describe: 'Remove an alert',
  builder: yargs =>
    yargs
      .positional('alert_id', alertIdOption)
      .options(projectOption)
      .example('$0 alerts remove alert_7f3a --project shop', ''),
  handler: async args => {
    await withClient(globalFlags(args), client =>
      client.run(removeAlert, { project: args.project, alert_id: args.alert_id }),
    )
    await print(args.json, { alert_id: args.alert_id, removed: true }, () => `${args.alert_id} is removed\n`)
  },
})
