import { globalFlags } from '../global-options.js'
import { removeWebhook } from '../../operations/webhooks.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { webhookIdOption } from './webhook-id-option.js'

/** `earshot webhooks remove` */
export const webhooksRemoveCommand = defineCommand({
  command: 'remove <webhook_id>',
  describe: 'Remove a webhook, with everything it was still to be told',
  builder: yargs =>
    yargs
      .positional('webhook_id', webhookIdOption)
      .options(projectOption)
      .example('$0 webhooks remove wh_7f3a --project shop', ''),
  handler: async args => {
    await withClient(globalFlags(args), client =>
      client.run(removeWebhook, { project: args.project, webhook_id: args.webhook_id }),
    )
    const removed = { webhook_id: args.webhook_id, removed: true }
    await print(args.json, removed, () => `${args.webhook_id} is removed\n`)
  },
})
