import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withEventOperations } from '../with-event-operations.js'
import { alertIdOption } from './alert-id-option.js'
import { alertLines } from './alert-lines.js'

/** `earshot alerts show` */
export const alertsShowCommand = defineCommand({
  command: 'show <alert_id>',
  describe: 'Show an alert',
  builder: yargs => yargs.positional('alert_id', alertIdOption).options(projectOption),
  handler: async args => {
    const alert = await withEventOperations(args, operations => operations.alert(args.alert_id))
    await print(args.json, alert, () => alertLines(alert))
  },
})
