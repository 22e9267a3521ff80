import type { WebhookView, WebhookWithSecret } from '../../store/records/webhook.js'

/** A webhook for a reader. */
export function webhookLines(webhook: WebhookView): string {
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
export function secretLines(webhook: WebhookWithSecret): string {
  return `${webhookLines(webhook)}\n${webhook.secret}\n\nThis is the only time the signing secret is shown.\n`
}
