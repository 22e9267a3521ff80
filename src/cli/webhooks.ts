import { defineCommand } from './define-command.js'
import { webhooksAddCommand } from './webhooks/webhooks-add.js'
import { webhooksDeliveriesCommand } from './webhooks/webhooks-deliveries.js'
import { webhooksListCommand } from './webhooks/webhooks-list.js'
import { webhooksRemoveCommand } from './webhooks/webhooks-remove.js'
import { webhooksResendCommand } from './webhooks/webhooks-resend.js'
import { webhooksRotateCommand } from './webhooks/webhooks-rotate.js'
import { webhooksSetCommand } from './webhooks/webhooks-set.js'
import { webhooksShowCommand } from './webhooks/webhooks-show.js'

/** `earshot webhooks …` */
export const webhooksCommand = defineCommand({
  command: 'webhooks <command>',
  describe: 'Webhooks: addresses that are told of events',
  builder: yargs =>
    yargs
      .command(webhooksAddCommand)
      .command(webhooksListCommand)
      .command(webhooksShowCommand)
      .command(webhooksSetCommand)
      .command(webhooksRotateCommand)
      .command(webhooksDeliveriesCommand)
      .command(webhooksResendCommand)
      .command(webhooksRemoveCommand)
      .demandCommand(1, 'Name a subcommand of "webhooks"')
      .example('$0 webhooks list --project shop', ''),
  handler: async () => undefined,
})
