import { defineCommand } from '../define-command.js'
import type { DeliveryView } from '../operations/event-operations.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { textOption } from '../text-option.js'
import { withEventOperations } from '../with-event-operations.js'
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
      .option('cursor', textOption('next_cursor of the page before')),
  handler: async args => {
    const query = {
      limit: String(args.limit),
      ...(args.state === undefined ? {} : { state: args.state }),
      ...(args.cursor === undefined ? {} : { cursor: args.cursor }),
    }
    const page = await withEventOperations(args, operations => operations.deliveries(args.webhook_id, query))
    await print(args.json, page, () => {
      const more = page.next_cursor === undefined ? '' : `\nThere are more: --cursor ${page.next_cursor}\n`
      return `${table(HEAD, page.deliveries.map(line))}${more}`
    })
  },
})

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
