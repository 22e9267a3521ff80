import { globalFlags } from '../global-options.js'
import { addWebhook } from '../../operations/webhooks.js'
import { parseOptions } from '../parse-options.js'
import { newWebhook } from '../../events/webhook-fields.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { eventList, eventsOption } from './events-option.js'
import { secretLines } from './webhook-lines.js'

/** `earshot webhooks add` */
export const webhooksAddCommand = defineCommand({
  command: 'add <url>',
  describe: 'Add a webhook and show its signing secret, once',
  builder: yargs =>
    yargs
      .positional('url', { type: 'string', demandOption: true, description: 'https:// address that takes events' })
      .options({ ...projectOption, events: { ...eventsOption.events, demandOption: true } })
      .example('$0 webhooks add https://hooks.example.com/earshot --project demo --events alert.triggered', ''),
  handler: async args => {
    const fields = parseOptions(newWebhook, { url: args.url, events: eventList(args.events) })
    const added = await withClient(globalFlags(args), client =>
      client.run(addWebhook, { project: args.project, body: fields }),
    )
    await print(args.json, added, () => secretLines(added))
  },
})
