import { alert, type AlertRecord } from '../records/alert.js'
import type { EventStore } from '../event-store.js'
import { webhook, type WebhookRecord } from '../records/webhook.js'
import { DuckDbDeliveries } from './events/duckdb-deliveries.js'
import { DuckDbFeedback } from './events/duckdb-feedback.js'
import { DuckDbNotedCalls } from './events/duckdb-noted-calls.js'
import { DuckDbShelf } from './duckdb-shelf.js'
import type { Reading, Writing } from './engine.js'

/** Webhooks, alerts, feedback and the outbox, in the embedded store. */
export class DuckDbEvents implements EventStore {
  readonly webhooks: DuckDbShelf<WebhookRecord>
  readonly alerts: DuckDbShelf<AlertRecord>
  readonly deliveries: DuckDbDeliveries
  readonly noted: DuckDbNotedCalls
  readonly feedback: DuckDbFeedback

  constructor(writer: Writing, reader: Reading) {
    this.webhooks = new DuckDbShelf<WebhookRecord>(writer, reader, {
      table: 'webhooks',
      id: 'webhook_id',
      schema: webhook.stored,
      idOf: record => record.webhook_id,
    })
    this.alerts = new DuckDbShelf<AlertRecord>(writer, reader, {
      table: 'alerts',
      id: 'alert_id',
      schema: alert.stored,
      idOf: record => record.alert_id,
    })
    this.deliveries = new DuckDbDeliveries(writer, reader)
    this.feedback = new DuckDbFeedback(writer, reader, this.deliveries)
    this.noted = new DuckDbNotedCalls(writer, this.deliveries, this.alerts)
  }
}
