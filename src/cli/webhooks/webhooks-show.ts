import { globalFlags } from '../global-options.js'
import { getWebhook } from '../../operations/webhooks.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { webhookIdOption } from './webhook-id-option.js'
import { webhookLines } from './webhook-lines.js'

/** `earshot webhooks show` */
export const webhooksShowCommand = defineCommand({
  command: 'show <webhook_id>',
  describe: 'Show a webhook, without its secret',
  builder: yargs =>
    yargs
      .positional('webhook_id', webhookIdOption)
      .options(projectOption)
      .example('$0 webhooks show wh_7f3a --project shop', ''),
  handler: async args => {
    const webhook = await withClient(globalFlags(args), client =>
      client.run(getWebhook, { project: args.project, webhook_id: args.webhook_id }),
    )
    await print(args.json, webhook, () => webhookLines(webhook))
  },
})
