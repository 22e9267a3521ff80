import { globalFlags } from '../global-options.js'
import { changeAlert } from '../../operations/alerts.js'
import { parseOptions } from '../parse-options.js'
import { alertPatch } from '../../events/alerts/alert-fields.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { textOption } from '../text-option.js'
import { withClient } from '../with-client.js'
import { alertIdOption } from './alert-id-option.js'
import { alertLines } from './alert-lines.js'

/** `earshot alerts set` */
export const alertsSetCommand = defineCommand({
  command: 'set <alert_id>',
  describe: 'Change an alert, pause it or let it go on',
  builder: yargs =>
    yargs
      .positional('alert_id', alertIdOption)
      .options({ ...projectOption, name: textOption('Label of the alert') })
      .option('agent', { type: 'array', string: true, requiresArg: true, description: 'Agent it is about; repeatable' })
      .option('cooldown-seconds', { type: 'number', requiresArg: true, description: 'Silence after it was triggered' })
      .option('active', { type: 'boolean', description: 'no: it is paused' })
      .example('$0 alerts set alert_7f3a --no-active --project shop', ''),
  handler: async args => {
    const { name, active, agent: agents, cooldownSeconds: cooldown_seconds } = args
    const patch = parseOptions(alertPatch, { name, active, agents, cooldown_seconds })
    const changed = await withClient(globalFlags(args), client =>
      client.run(changeAlert, { project: args.project, alert_id: args.alert_id, body: patch }),
    )
    await print(args.json, changed, () => alertLines(changed))
  },
})
