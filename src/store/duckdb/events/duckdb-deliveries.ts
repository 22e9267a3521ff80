import { type DuckDBConnection, type DuckDBValue, LIST, VARCHAR, listValue } from '@duckdb/node-api'
import type {
  Attempt,
  DeliveryFilter,
  DeliveryStore,
  NewDelivery,
  OutboxCounts,
  PendingDelivery,
  Requeue,
} from '../../event-store.js'
import type { Delivery } from '../../records/webhook.js'
import type { Reading, Writing } from '../engine.js'
import { deliveryOf, pendingOf } from './delivery-rows.js'

/** The outbox and its history, as one table. */
export class DuckDbDeliveries implements DeliveryStore {
  readonly #writer: Writing
  readonly #reader: Reading
  /**
   * The number given last. Kept here and not looked up again: whoever reads behind a number must never be passed by a
   * new row, also when the newest ones were deleted.
   */
  #lastSeq: number | undefined

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    await this.#writer.transaction(connection => this.addIn(connection, deliveries))
  }

  /** The same within a transaction. */
  async addIn(connection: DuckDBConnection, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const first = await this.#numbers(connection, deliveries.length)
    await runWithLists(
      connection,
      `insert into event_deliveries
         (seq, delivery_id, project_id, webhook_id, event_id, event, subject, body, state, attempts, created_at,
          expires_at, next_at)
       select unnest($1)::BIGINT, unnest($2), unnest($3), unnest($4), unnest($5), unnest($6), unnest($7), unnest($8),
         'pending', 0, unnest($9), unnest($10), unnest($9)`,
      [
        deliveries.map((_, index) => String(first + index)),
        deliveries.map(one => one.delivery_id),
        deliveries.map(one => one.project_id),
        deliveries.map(one => one.webhook_id),
        deliveries.map(one => one.event_id),
        deliveries.map(one => one.event),
        deliveries.map(one => one.subject),
        deliveries.map(one => one.body),
        deliveries.map(one => one.created_at),
        deliveries.map(one => one.expires_at),
      ],
    )
  }

  async pending(webhookId: string, after: number, limit: number): Promise<readonly PendingDelivery[]> {
    const rows = await this.#reader.rows(
      `select seq, delivery_id, project_id, webhook_id, event_id, event, subject, body, attempts, created_at, expires_at,
         next_at
       from event_deliveries where webhook_id = $1 and state = 'pending' and seq > $2 order by seq limit $3`,
      [webhookId, BigInt(after), limit],
    )
    return rows.map(pendingOf)
  }

  async begin(seq: number): Promise<boolean> {
    const found = await this.#reader.rows(`select 1 from event_deliveries where seq = $1 and state = 'pending'`, [
      BigInt(seq),
    ])
    return found.length > 0
  }

  async settle(attempts: readonly Attempt[]): Promise<void> {
    if (attempts.length === 0) return
    await this.#writer.transaction(connection =>
      runWithLists(
        connection,
        `update event_deliveries d set state = a.state, attempts = a.attempts, next_at = a.next_at,
           attempted_at = a.attempted_at, status = a.status, failure = a.failure, duration_ms = a.duration_ms
         from (select unnest($1)::BIGINT as seq, unnest($2) as state, unnest($3)::INTEGER as attempts,
           unnest($4) as next_at, unnest($5) as attempted_at, unnest($6)::INTEGER as status, unnest($7) as failure,
           unnest($8)::DOUBLE as duration_ms) a
         where d.seq = a.seq and d.state = 'pending'`,
        [
          attempts.map(({ seq }) => String(seq)),
          attempts.map(({ state }) => state),
          attempts.map(one => String(one.attempts)),
          attempts.map(one => one.next_at),
          attempts.map(one => one.attempted_at),
          attempts.map(({ status }) => (status === undefined ? null : String(status))),
          attempts.map(({ failure }) => failure ?? null),
          attempts.map(one => String(one.duration_ms)),
        ],
      ),
    )
  }

  async list(projectId: string, webhookId: string, filter: DeliveryFilter): Promise<readonly Delivery[]> {
    const { state, before, limit } = filter
    const rows = await this.#reader.rows(
      `select seq, delivery_id, project_id, webhook_id, event_id, event, state, attempts, created_at, expires_at,
         next_at, attempted_at, status, failure, duration_ms
       from event_deliveries
       where project_id = $1 and webhook_id = $2 and ($3 is null or state = $3) and ($4::BIGINT is null or seq < $4)
       order by seq desc limit $5`,
      [projectId, webhookId, state ?? null, before === undefined ? null : BigInt(before), limit],
    )
    return rows.map(deliveryOf)
  }

  requeue({ projectId, webhookId, deliveryId, now, expiresAt }: Requeue): Promise<number> {
    return this.#writer.transaction(async connection => {
      await connection.run(
        `create or replace temp table again as
         select seq, row_number() over (order by seq) - 1 as place from event_deliveries
         where project_id = $1 and webhook_id = $2
           and (($3 is null and state = 'dead') or (delivery_id = $3 and state <> 'pending'))`,
        [projectId, webhookId, deliveryId ?? null],
      )
      const counted = await connection.runAndReadAll('select count(*) from again')
      const count = Number(counted.getRowsJS()[0]?.[0])
      if (count === 0) return 0
      const first = await this.#numbers(connection, count)
      await connection.run(
        `update event_deliveries d set seq = $1 + again.place, state = 'pending', attempts = 0, next_at = $2,
           expires_at = $3
         from again where d.seq = again.seq`,
        [BigInt(first), now, expiresAt],
      )
      return count
    })
  }

  async removeWebhook(projectId: string, webhookId: string): Promise<void> {
    await this.#writer.transaction(connection =>
      connection.run('delete from event_deliveries where project_id = $1 and webhook_id = $2', [projectId, webhookId]),
    )
  }

  async waiting(): Promise<readonly Pick<NewDelivery, 'project_id' | 'webhook_id'>[]> {
    const rows = await this.#reader.rows(
      `select distinct project_id, webhook_id from event_deliveries where state = 'pending'`,
    )
    return rows.map(([projectId, webhookId]) => ({ project_id: String(projectId), webhook_id: String(webhookId) }))
  }

  async counts(): Promise<OutboxCounts> {
    const rows = await this.#reader.rows(
      `select state, count(*) from event_deliveries where state <> 'delivered' group by state`,
    )
    const found = Object.fromEntries(rows.map(([state, count]) => [String(state), Number(count)]))
    return { pending: found['pending'] ?? 0, dead: found['dead'] ?? 0 }
  }

  async removeSettled(before: string): Promise<number> {
    const { rowsChanged } = await this.#writer.transaction(connection =>
      connection.run(`delete from event_deliveries where state <> 'pending' and attempted_at < $1`, [before]),
    )
    return rowsChanged
  }

  /** So many numbers in a row; the first of them. */
  async #numbers(connection: DuckDBConnection, count: number): Promise<number> {
    if (this.#lastSeq === undefined) {
      const found = await connection.runAndReadAll('select coalesce(max(seq), 0) from event_deliveries')
      this.#lastSeq = Number(found.getRowsJS()[0]?.[0])
    }
    const first = this.#lastSeq + 1
    this.#lastSeq += count
    return first
  }
}

/** Runs a statement over columns of text, each a list; numbers are cast in the statement. */
async function runWithLists(
  connection: DuckDBConnection,
  statement: string,
  columns: readonly (readonly (string | null)[])[],
): Promise<void> {
  const lists = columns.map((column): DuckDBValue => listValue([...column]))
  await connection.run(
    statement,
    lists,
    columns.map(() => LIST(VARCHAR)),
  )
}
