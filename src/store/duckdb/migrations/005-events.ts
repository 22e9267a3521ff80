import type { Migration } from './migration.js'

/** Webhooks, alerts, feedback, and what is still to be told. */
export const events: Migration = {
  version: 5,
  name: 'events',
  statements: [
    // Few and read whole at start: each as its JSON.
    `create table webhooks (project_id VARCHAR NOT NULL, webhook_id VARCHAR NOT NULL, record JSON NOT NULL)`,
    `create table alerts (project_id VARCHAR NOT NULL, alert_id VARCHAR NOT NULL, record JSON NOT NULL)`,
    // The outbox and, once they are settled, the history: an event for a webhook a row. Instants as ISO texts, which
    // sort as they are. No index: it is read by seq, which counts up.
    `create table event_deliveries (
      seq BIGINT NOT NULL,
      delivery_id VARCHAR NOT NULL,
      project_id VARCHAR NOT NULL,
      webhook_id VARCHAR NOT NULL,
      event_id VARCHAR NOT NULL,
      event VARCHAR NOT NULL,
      subject VARCHAR NOT NULL,
      body VARCHAR NOT NULL,
      state VARCHAR NOT NULL,
      attempts INTEGER NOT NULL,
      created_at VARCHAR NOT NULL,
      expires_at VARCHAR NOT NULL,
      next_at VARCHAR NOT NULL,
      attempted_at VARCHAR,
      status INTEGER,
      failure VARCHAR,
      duration_ms DOUBLE
    )`,
    // Calls that were written and not looked at yet, for projects with webhooks or alerts: filled by the same
    // transaction as the calls.
    `create table noted_calls (project_id VARCHAR NOT NULL, session_id VARCHAR NOT NULL)`,
    `create table feedback (
      project_id VARCHAR NOT NULL,
      session_id VARCHAR NOT NULL,
      feedback_id VARCHAR NOT NULL,
      rating INTEGER NOT NULL,
      text VARCHAR,
      created_at VARCHAR NOT NULL,
      created_by VARCHAR NOT NULL
    )`,
  ],
}
