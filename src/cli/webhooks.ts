import type { AnswerOf } from '../control/client.js'
import {
  addWebhook,
  changeWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  resendDeadLetters,
  resendDelivery,
  rotateWebhookSecret,
} from '../operations/webhooks.js'
import type { WebhookView, WebhookWithSecret } from '../store/records/webhook.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'

const words = { webhook_id: 'Webhook, as "webhooks list" shows it' }

const add = operationCommand({
  command: 'add <url>',
  describe: 'Add a webhook and show its signing secret, once',
  operation: addWebhook,
  examples: [['webhooks add https://hooks.example.com/earshot --project demo --events alert.triggered', '']],
  text: secretLines,
})

const list = operationCommand({
  command: 'list',
  describe: 'List the webhooks of a project',
  operation: listWebhooks,
  examples: [['webhooks list --project shop', '']],
  text: ({ webhooks }) =>
    table(
      ['Webhook', 'Address', 'Active', 'Events'],
      webhooks.map(one => [one.webhook_id, one.url, one.active ? 'yes' : 'no', one.events.join(', ')]),
    ),
})

const show = operationCommand({
  command: 'show <webhook_id>',
  describe: 'Show a webhook, without its secret',
  operation: getWebhook,
  words,
  examples: [['webhooks show wh_7f3a --project shop', '']],
  text: webhookLines,
})

const set = operationCommand({
  command: 'set <webhook_id>',
  describe: 'Change a webhook, pause it or let it go on',
  operation: changeWebhook,
  words,
  examples: [['webhooks set wh_1f2e --project demo --no-active', '']],
  text: webhookLines,
})

const rotate = operationCommand({
  command: 'rotate <webhook_id>',
  describe: 'Replace the signing secret of a webhook and show the new one, once',
  operation: rotateWebhookSecret,
  words,
  examples: [['webhooks rotate wh_7f3a --project shop', '']],
  text: secretLines,
})

const HEAD = ['Delivery', 'Event', 'Raised', 'State', 'Attempts', 'Last answer', 'Next attempt']

const deliveries = operationCommand({
  command: 'deliveries <webhook_id>',
  describe: 'List what a webhook was told, is to be told, or was given up on; newest first',
  operation: listDeliveries,
  words,
  examples: [['webhooks deliveries wh_7f3a --project shop', '']],
  text: page => {
    const more = page.next_cursor === undefined ? '' : `\nThere are more: --cursor ${page.next_cursor}\n`
    return `${table(HEAD, page.deliveries.map(deliveryRow))}${more}`
  },
})

const resend = operationCommand({
  command: 'resend <webhook_id> [delivery_id]',
  describe: 'Send one delivery again, or all dead letters of a webhook',
  operation: resendDelivery,
  words: { ...words, delivery_id: 'One delivery, as "webhooks deliveries" shows it' },
  run: (ask, fields) => ask(fields['delivery_id'] === undefined ? resendDeadLetters : resendDelivery, fields),
  examples: [['webhooks resend wh_7f3a --project shop', 'what was not delivered']],
  text: ({ resent }) => `${resent} ${resent === 1 ? 'delivery is' : 'deliveries are'} sent again\n`,
})

const remove = operationCommand({
  command: 'remove <webhook_id>',
  describe: 'Remove a webhook, with everything it was still to be told',
  operation: removeWebhook,
  words,
  run: async (ask, fields) => {
    await ask(removeWebhook, fields)
    return { ...fields, removed: true }
  },
  examples: [['webhooks remove wh_7f3a --project shop', '']],
  text: (_, __, said) => `${String(said['webhook_id'])} is removed\n`,
})

/** `earshot webhooks …` */
export const webhooksCommand = commandGroup({
  name: 'webhooks',
  describe: 'Webhooks: addresses that are told of events',
  commands: yargs =>
    yargs
      .command(add)
      .command(list)
      .command(show)
      .command(set)
      .command(rotate)
      .command(deliveries)
      .command(resend)
      .command(remove),
  example: 'list --project shop',
})

/** A webhook for a reader. */
function webhookLines(webhook: WebhookView): string {
  return [
    `Webhook          ${webhook.webhook_id}`,
    `Project          ${webhook.project_id}`,
    `Address          ${webhook.url}`,
    `Events           ${webhook.events.join(', ')}`,
    `Active           ${webhook.active ? 'yes' : 'no, it is paused'}`,
    `Secrets          ${webhook.active_secrets === 1 ? 'one signs' : `${webhook.active_secrets} sign`}`,
    `Created          ${webhook.created_at} by ${webhook.created_by}`,
    '',
  ].join('\n')
}

/** A webhook with the one sight of its signing secret. */
function secretLines(webhook: WebhookWithSecret): string {
  return `${webhookLines(webhook)}\n${webhook.secret}\n\nThis is the only time the signing secret is shown.\n`
}

type DeliveryView = AnswerOf<typeof listDeliveries>['deliveries'][number]

function deliveryRow(one: DeliveryView): readonly string[] {
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
