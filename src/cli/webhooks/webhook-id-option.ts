/** The webhook a command works on. */
export const webhookIdOption = {
  type: 'string',
  demandOption: true,
  description: 'Webhook, as "webhooks list" shows it',
} as const
