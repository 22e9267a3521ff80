import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withEventOperations } from '../with-event-operations.js'
import { webhookIdOption } from './webhook-id-option.js'

/** `earshot webhooks resend` */
export const webhooksResendCommand = defineCommand({
  command: 'resend <webhook_id> [delivery_id]',
  describe: 'Send one delivery again, or all dead letters of a webhook',
  builder: yargs =>
    yargs
      .positional('webhook_id', webhookIdOption)
      .positional('delivery_id', { type: 'string', description: 'One delivery, as "webhooks deliveries" shows it' })
      .options(projectOption),
  handler: async args => {
    const { resent } = await withEventOperations(args, operations =>
      operations.resend(args.webhook_id, args.delivery_id),
    )
    await print(
      args.json,
      { resent },
      () => `${resent} ${resent === 1 ? 'delivery is' : 'deliveries are'} sent again\n`,
    )
  },
})
