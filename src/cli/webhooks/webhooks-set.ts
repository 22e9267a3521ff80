import { globalFlags } from '../global-options.js'
import { changeWebhook } from '../../operations/webhooks.js'
import { parseOptions } from '../parse-options.js'
import { webhookPatch } from '../../events/webhook-fields.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { textOption } from '../text-option.js'
import { withClient } from '../with-client.js'
import { eventList, eventsOption } from './events-option.js'
import { webhookIdOption } from './webhook-id-option.js'
import { webhookLines } from './webhook-lines.js'

/** `earshot webhooks set` */
export const webhooksSetCommand = defineCommand({
  command: 'set <webhook_id>',
  describe: 'Change a webhook, pause it or let it go on',
  builder: yargs =>
    yargs
      .positional('webhook_id', webhookIdOption)
      .options({ ...projectOption, ...eventsOption, url: textOption('https:// address that takes events') })
      .option('active', { type: 'boolean', description: 'no: it is paused, and never hears what happens meanwhile' })
      .example('$0 webhooks set wh_1f2e --project demo --no-active', ''),
  handler: async args => {
    const body = { url: args.url, events: eventList(args.events), active: args.active }
    const patch = parseOptions(webhookPatch, body)
    const changed = await withClient(globalFlags(args), client =>
      client.run(changeWebhook, { project: args.project, webhook_id: args.webhook_id, body: patch }),
    )
    await print(args.json, changed, () => webhookLines(changed))
  },
})
