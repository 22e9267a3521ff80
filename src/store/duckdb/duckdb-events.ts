import { z } from 'zod'
import type { AlertRecord, EventStore, WebhookRecord } from '../event-store.js'
import { DuckDbDeliveries } from './events/duckdb-deliveries.js'
import { DuckDbFeedback } from './events/duckdb-feedback.js'
import { DuckDbNotedCalls } from './events/duckdb-noted-calls.js'
import { DuckDbShelf } from './events/duckdb-shelf.js'
import type { Reading, Writing } from './engine.js'

const webhook = z.strictObject({
  webhook_id: z.string(),
  project_id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  secrets: z.array(
    z.strictObject({ sealed: z.string(), created_at: z.string(), expires_at: z.string().exactOptional() }),
  ),
  created_at: z.string(),
  created_by: z.string(),
}) satisfies z.ZodType<WebhookRecord>

const alert = z.strictObject({
  alert_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  condition: z.unknown(),
  agents: z.array(z.string()),
  cooldown_seconds: z.number(),
  active: z.boolean(),
  created_at: z.string(),
  created_by: z.string(),
  last_triggered_at: z.string().exactOptional(),
}) satisfies z.ZodType<AlertRecord>

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
      schema: webhook,
      idOf: record => record.webhook_id,
    })
    this.alerts = new DuckDbShelf<AlertRecord>(writer, reader, {
      table: 'alerts',
      id: 'alert_id',
      schema: alert,
      idOf: record => record.alert_id,
    })
    this.deliveries = new DuckDbDeliveries(writer, reader)
    this.feedback = new DuckDbFeedback(writer, reader, this.deliveries)
    this.noted = new DuckDbNotedCalls(writer, this.deliveries, this.alerts)
  }
}
