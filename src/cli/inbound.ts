import { addInboundWebhook, listInboundWebhooks, removeInboundWebhook } from '../operations/inbound-webhooks.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'

const add = operationCommand({
  command: 'add <name>',
  describe: 'Add an address that another product sends calls to, and show its secret, once',
  operation: addInboundWebhook,
  examples: [
    ['inbound add "Calls of the PBX" --kind standard --project demo', ''],
    ['inbound add Twilio --kind twilio --secret "$TWILIO_AUTH_TOKEN" --mapping twilio --project demo', ''],
  ],
  text: ({ webhook_id: id, path, secret }) =>
    `Webhook  ${id}\nAddress  ${path} below the API's address\n${secret === undefined ? '' : `Secret   ${secret}\n         It is shown this once.\n`}`,
})

const list = operationCommand({
  command: 'list',
  describe: 'List the addresses that other products send calls to',
  operation: listInboundWebhooks,
  examples: [['inbound list --project shop', '']],
  text: ({ webhooks }) =>
    table(
      ['Webhook', 'Name', 'Kind', 'Mapping', 'Address'],
      webhooks.map(one => [one.webhook_id, one.name, one.kind, one.mapping ?? '', one.path]),
    ),
})

const remove = operationCommand({
  command: 'remove <webhook_id>',
  describe: 'Remove an address: nothing more is taken by it',
  operation: removeInboundWebhook,
  words: { webhook_id: 'Webhook, as "inbound list" shows it' },
  run: async (ask, fields) => {
    await ask(removeInboundWebhook, fields)
    return { ...fields, removed: true }
  },
  examples: [['inbound remove in_7f3a --project shop', '']],
  text: (_, __, said) => `${String(said['webhook_id'])} is removed\n`,
})

/** `earshot inbound …` */
export const inboundCommand = commandGroup({
  name: 'inbound',
  describe: 'Inbound webhooks: addresses that other products send calls to as they happen',
  commands: yargs => yargs.command(add).command(list).command(remove),
  example: 'list --project shop',
})
