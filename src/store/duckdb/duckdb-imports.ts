import type { ImportStore } from '../import-store.js'
import { inboundWebhook, type InboundWebhookRecord } from '../records/inbound-webhook.js'
import { mapping, type MappingRecord } from '../records/mapping.js'
import { timestamp } from './reading/activity-where.js'
import type { Reading, Writing } from './engine.js'
import { DuckDbShelf } from './duckdb-shelf.js'

/** Saved mappings, inbound webhooks and what these took, in the embedded store. */
export class DuckDbImports implements ImportStore {
  readonly #writer: Writing
  readonly #reader: Reading
  readonly mappings: DuckDbShelf<MappingRecord>
  readonly inbound: DuckDbShelf<InboundWebhookRecord>

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
    this.mappings = new DuckDbShelf<MappingRecord>(writer, reader, {
      table: 'mappings',
      id: 'mapping_id',
      schema: mapping.stored,
      idOf: record => record.mapping_id,
    })
    this.inbound = new DuckDbShelf<InboundWebhookRecord>(writer, reader, {
      table: 'inbound_webhooks',
      id: 'webhook_id',
      schema: inboundWebhook.stored,
      idOf: record => record.webhook_id,
    })
  }

  async wasTaken(webhookId: string, digest: string): Promise<boolean> {
    const rows = await this.#reader.rows('select 1 from inbound_taken where webhook_id = $1 and digest = $2 limit 1', [
      webhookId,
      digest,
    ])
    return rows.length > 0
  }

  async take(webhookId: string, digest: string, at: number, forget: number): Promise<void> {
    await this.#writer.transaction(async connection => {
      await connection.run('delete from inbound_taken where taken_at < $1', [timestamp(forget)])
      await connection.run('insert into inbound_taken values ($1, $2, $3)', [webhookId, digest, timestamp(at)])
    })
  }
}
