import type { Door } from '../../control/door.js'
import type { Alert } from '../../events/alerts/alert.js'
import type { AlertPatch, NewAlert } from '../../events/alerts/alert-fields.js'
import type { NewWebhook, WebhookPatch } from '../../events/webhook-fields.js'
import type { WebhookView, WebhookWithSecret } from '../../events/webhook-view.js'
import type { Delivery } from '../../store/event-store.js'

const WEBHOOKS = '/api/v1/webhooks'
const WEBHOOK = `${WEBHOOKS}/:webhook_id`
const ALERTS = '/api/v1/alerts'
const ALERT = `${ALERTS}/:alert_id`

/** A delivery as its route shows it. */
export type DeliveryView = Omit<Delivery, 'seq' | 'project_id' | 'webhook_id'>

export interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[]
  readonly next_cursor?: string
}

interface More {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
}

/** What commands do with webhooks and alerts of a project. All reject with the Problems of the routes. */
export class EventOperations {
  readonly #door: Door
  readonly #project: string

  constructor(door: Door, project: string) {
    this.#door = door
    this.#project = project
  }

  async webhooks(): Promise<readonly WebhookView[]> {
    return (await this.#ask<{ webhooks: readonly WebhookView[] }>('GET', WEBHOOKS)).webhooks
  }

  webhook(webhook_id: string): Promise<WebhookView> {
    return this.#ask('GET', WEBHOOK, { params: { webhook_id } })
  }

  addWebhook(body: NewWebhook): Promise<WebhookWithSecret> {
    return this.#ask('POST', WEBHOOKS, { body })
  }

  changeWebhook(webhook_id: string, body: WebhookPatch): Promise<WebhookView> {
    return this.#ask('PATCH', WEBHOOK, { params: { webhook_id }, body })
  }

  async removeWebhook(webhook_id: string): Promise<void> {
    await this.#ask('DELETE', WEBHOOK, { params: { webhook_id } })
  }

  rotateSecret(webhook_id: string, grace_seconds: number): Promise<WebhookWithSecret> {
    return this.#ask('POST', `${WEBHOOK}/rotate`, { params: { webhook_id }, body: { grace_seconds } })
  }

  deliveries(webhook_id: string, query: Readonly<Record<string, string>>): Promise<DeliveryPage> {
    return this.#ask('GET', `${WEBHOOK}/deliveries`, { params: { webhook_id }, query })
  }

  resend(webhook_id: string, delivery_id?: string): Promise<{ readonly resent: number }> {
    if (delivery_id === undefined) return this.#ask('POST', `${WEBHOOK}/resend`, { params: { webhook_id } })
    return this.#ask('POST', `${WEBHOOK}/deliveries/:delivery_id/resend`, { params: { webhook_id, delivery_id } })
  }

  async alerts(): Promise<readonly Alert[]> {
    return (await this.#ask<{ alerts: readonly Alert[] }>('GET', ALERTS)).alerts
  }

  alert(alert_id: string): Promise<Alert> {
    return this.#ask('GET', ALERT, { params: { alert_id } })
  }

  addAlert(body: NewAlert): Promise<Alert> {
    return this.#ask('POST', ALERTS, { body })
  }

  changeAlert(alert_id: string, body: AlertPatch): Promise<Alert> {
    return this.#ask('PATCH', ALERT, { params: { alert_id }, body })
  }

  async removeAlert(alert_id: string): Promise<void> {
    await this.#ask('DELETE', ALERT, { params: { alert_id } })
  }

  /** A server of another version than this command is refused before, so its answers are ours. */
  async #ask<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, more: More = {}): Promise<T> {
    return (await this.#door.ask({ method, url, project: this.#project, ...more })) as T
  }
}
