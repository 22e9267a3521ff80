import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withEventOperations } from '../with-event-operations.js'
import { alertIdOption } from './alert-id-option.js'

/** `earshot alerts remove` */
export const alertsRemoveCommand = defineCommand({
  command: 'remove <alert_id>',
  describe: 'Remove an alert',
  builder: yargs => yargs.positional('alert_id', alertIdOption).options(projectOption),
  handler: async args => {
    await withEventOperations(args, operations => operations.removeAlert(args.alert_id))
    await print(args.json, { alert_id: args.alert_id, removed: true }, () => `${args.alert_id} is removed\n`)
  },
})
