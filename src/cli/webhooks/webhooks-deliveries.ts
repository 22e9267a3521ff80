import { globalFlags } from '../global-options.js'
import { deliveryQuery, listDeliveries } from '../../operations/webhooks.js'
import { defineCommand } from '../define-command.js'
import type { AnswerOf } from '../../control/client.js'
import { parseOptions } from '../parse-options.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { textOption } from '../text-option.js'
import { withClient } from '../with-client.js'
import { webhookIdOption } from './webhook-id-option.js'

const HEAD = ['Delivery', 'Event', 'Raised', 'State', 'Attempts', 'Last answer', 'Next attempt']

/** `earshot webhooks deliveries` */
export const webhooksDeliveriesCommand = defineCommand({
  command: 'deliveries <webhook_id>',
  describe: 'List what a webhook was told, is to be told, or was given up on; newest first',
  builder: yargs =>
    yargs
      .positional('webhook_id', webhookIdOption)
      .options({ ...projectOption, state: textOption('Only pending, delivered or dead ones') })
      .option('limit', { type: 'number', requiresArg: true, default: 50, description: 'Most lines, 1 to 500' })
      .option('cursor', textOption('next_cursor of the page before'))
      .example('$0 webhooks deliveries wh_7f3a --project shop', ''),
  handler: async args => {
    const { limit, state, cursor } = args
    const query = parseOptions(deliveryQuery, { limit, state, cursor })
    const page = await withClient(globalFlags(args), client =>
      client.run(listDeliveries, { project: args.project, webhook_id: args.webhook_id, query }),
    )
    await print(args.json, page, () => {
      const more = page.next_cursor === undefined ? '' : `\nThere are more: --cursor ${page.next_cursor}\n`
      return `${table(HEAD, page.deliveries.map(line))}${more}`
    })
  },
})

type DeliveryView = AnswerOf<typeof listDeliveries>['deliveries'][number]

function line(one: DeliveryView): readonly string[] {
  return [
    one.delivery_id,
    one.event,
    one.created_at,
    one.state,
    String(one.attempts),
    lastAnswer(one),
    one.next_at ?? '',
  ]
}

function lastAnswer({ status, failure, duration_ms }: DeliveryView): string {
  const said = status === undefined ? failure : String(status)
  return said === undefined ? '' : `${said} in ${duration_ms ?? 0} ms`
}
