import type { DuckDBConnection } from '@duckdb/node-api'
import type { z } from 'zod'
import type { Shelf } from '../shelf.js'
import type { Reading, Writing } from './engine.js'
import { AT_A_START } from './reading/reader.js'

interface Shape<T> {
  /** A table (project_id, <id>, record). */
  readonly table: 'webhooks' | 'alerts' | 'mappings' | 'inbound_webhooks' | 'teams'
  readonly id: 'webhook_id' | 'alert_id' | 'mapping_id' | 'team_id'
  readonly schema: z.ZodType<T>
  readonly idOf: (record: T) => string
}

/** Records, each as its JSON. That an id is there once is the work of the one lane for writes. */
export class DuckDbShelf<T extends { readonly project_id: string }> implements Shelf<T> {
  readonly #writer: Writing
  readonly #reader: Reading
  readonly #shape: Shape<T>

  constructor(writer: Writing, reader: Reading, shape: Shape<T>) {
    this.#writer = writer
    this.#reader = reader
    this.#shape = shape
  }

  async all(): Promise<readonly T[]> {
    const { table, id, schema } = this.#shape
    const rows = await this.#reader.rows(`select record from ${table} order by project_id, ${id}`, [], AT_A_START)
    return rows.map(([record]) => schema.parse(JSON.parse(String(record))))
  }

  async put(record: T): Promise<void> {
    await this.#writer.transaction(connection => this.putIn(connection, record))
  }

  /** The same within a transaction. */
  async putIn(connection: DuckDBConnection, record: T): Promise<void> {
    const id = this.#shape.idOf(record)
    await this.#delete(connection, record.project_id, id)
    await connection.run(`insert into ${this.#shape.table} values ($1, $2, $3)`, [
      record.project_id,
      id,
      JSON.stringify(record),
    ])
  }

  async remove(projectId: string, id: string): Promise<void> {
    await this.#writer.transaction(connection => this.#delete(connection, projectId, id))
  }

  async #delete(connection: DuckDBConnection, projectId: string, id: string): Promise<void> {
    const { table, id: column } = this.#shape
    await connection.run(`delete from ${table} where project_id = $1 and ${column} = $2`, [projectId, id])
  }
}
