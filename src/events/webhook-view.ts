import type { WebhookRecord } from '../store/event-store.js'

/** A webhook as it is shown: of its secrets only how many sign. */
export interface WebhookView extends Omit<WebhookRecord, 'secrets'> {
  /** 2 while a rotation's grace lasts. */
  readonly active_secrets: number
}

/** A webhook with its new signing secret, which is shown this once. */
export interface WebhookWithSecret extends WebhookView {
  readonly secret: string
}

/** @param now milliseconds since 1970 */
export function webhookView({ secrets, ...webhook }: WebhookRecord, now: number): WebhookView {
  return { ...webhook, active_secrets: secrets.filter(({ expires_at: end }) => lasts(end, now)).length }
}

/** Whether a secret still signs. */
export function lasts(end: string | undefined, now: number): boolean {
  return end === undefined || Date.parse(end) > now
}
