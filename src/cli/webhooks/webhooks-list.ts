import { globalFlags } from '../global-options.js'
import { listWebhooks } from '../../operations/webhooks.js'
import { defineCommand } from '../define-command.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'

/** `earshot webhooks list` */
export const webhooksListCommand = defineCommand({
  command: 'list',
  describe: 'List the webhooks of a project',
  builder: yargs => yargs.options(projectOption).example('$0 webhooks list --project shop', ''),
  handler: async args => {
    const webhooks = await withClient(globalFlags(args), client =>
      client.run(listWebhooks, { project: args.project }).then(answer => answer.webhooks),
    )
    await print(args.json, { webhooks }, () =>
      table(
        ['Webhook', 'Address', 'Active', 'Events'],
        webhooks.map(one => [one.webhook_id, one.url, one.active ? 'yes' : 'no', one.events.join(', ')]),
      ),
    )
  },
})
