import { globalFlags } from '../global-options.js'
import { getAlert } from '../../operations/alerts.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { alertIdOption } from './alert-id-option.js'
import { alertLines } from './alert-lines.js'

/** `earshot alerts show` */
export const alertsShowCommand = defineCommand({
  command: 'show <alert_id>',
  describe: 'Show an alert',
  builder: yargs =>
    yargs
      .positional('alert_id', alertIdOption)
      .options(projectOption)
      .example('$0 alerts show alert_7f3a --project shop', ''),
  handler: async args => {
    const alert = await withClient(globalFlags(args), client =>
      client.run(getAlert, { project: args.project, alert_id: args.alert_id }),
    )
    await print(args.json, alert, () => alertLines(alert))
  },
})
