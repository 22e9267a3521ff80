import { globalFlags } from '../global-options.js'
import { rotateWebhookSecret } from '../../operations/webhooks.js'
import { parseOptions } from '../parse-options.js'
import { secretRotation } from '../../events/webhook-fields.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'
import { webhookIdOption } from './webhook-id-option.js'
import { secretLines } from './webhook-lines.js'

/** `earshot webhooks rotate` */
export const webhooksRotateCommand = defineCommand({
  command: 'rotate <webhook_id>',
  describe: 'Replace the signing secret of a webhook and show the new one, once',
  builder: yargs =>
    yargs
      .positional('webhook_id', webhookIdOption)
      .options(projectOption)
      .option('grace-seconds', {
        type: 'number',
        requiresArg: true,
        description: 'So long the old secret signs too, 0 to 604800 (default: 86400)',
      })
      .example('$0 webhooks rotate wh_7f3a --project shop', ''),
  handler: async args => {
    const { grace_seconds } = parseOptions(secretRotation, { grace_seconds: args.graceSeconds })
    const rotated = await withClient(globalFlags(args), client =>
      client.run(rotateWebhookSecret, { project: args.project, webhook_id: args.webhook_id, body: { grace_seconds } }),
    )
    await print(args.json, rotated, () => secretLines(rotated))
  },
})
