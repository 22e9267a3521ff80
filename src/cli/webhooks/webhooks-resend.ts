import { globalFlags } from '../global-options.js'
import { resendDeadLetters, resendDelivery } from '../../operations/webhooks.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { webhookIdOption } from './webhook-id-option.js'

/** `earshot webhooks resend` */
export const webhooksResendCommand = defineCommand({
  command: 'resend <webhook_id> [delivery_id]',
  describe: 'Send one delivery again, or all dead letters of a webhook',
  builder: yargs =>
    yargs
      .positional('webhook_id', webhookIdOption)
      .positional('delivery_id', { type: 'string', description: 'One delivery, as "webhooks deliveries" shows it' })
      .options(projectOption)
      .example('$0 webhooks resend wh_7f3a --project shop', 'what was not delivered'),
  handler: async args => {
    const { project, webhook_id } = args
    const { resent } = await withClient(globalFlags(args), client =>
      args.delivery_id === undefined
        ? client.run(resendDeadLetters, { project, webhook_id })
        : client.run(resendDelivery, { project, webhook_id, delivery_id: args.delivery_id }),
    )
    await print(
      args.json,
      { resent },
      () => `${resent} ${resent === 1 ? 'delivery is' : 'deliveries are'} sent again\n`,
    )
  },
})
