import { type DuckDBConnection, LIST, VARCHAR, listValue } from '@duckdb/node-api'
import type { CallStore, PreparedCall, UpsertResult } from '../store.js'
import { insertCalls, sessionKey } from './call-columns.js'
import type { Reader } from './reader.js'
import { stageCalls, stagingChunk } from './stage-calls.js'
import type { Writer } from './writer.js'

/** Calls that are unpacked in memory at once. */
const SLICE = 512

/** The keyed hash an erased id is remembered by; $1 is the project (no colon in it), $2 the secret. */
const erasedHash = (id: string) => `sha256($2 || ':' || $1 || ':' || ${id})`

/** Writes and erases calls. That (project, session) is unique holds because all writes go through one lane. */
export class DuckDbCalls implements CallStore {
  readonly #writer: Writer
  readonly #reader: Reader
  readonly #secret: string
  readonly #chunk = stagingChunk()

  constructor(writer: Writer, reader: Reader, secret: string) {
    this.#writer = writer
    this.#reader = reader
    this.#secret = secret
  }

  upsert(
    projectId: string,
    calls: readonly PreparedCall[],
    options: { restoreErased?: boolean } = {},
  ): Promise<UpsertResult> {
    // A Map keeps the last of equal ids.
    const unique = new Map(calls.map(call => [call.session_id, call]))
    if (unique.size === 0) return Promise.resolve({ stored: 0, replaced: 0, erased: [] })
    return this.#writer.transaction(async connection => {
      await connection.run(
        'create or replace temp table incoming as select unnest($1) as session_id',
        [listValue([...unique.keys()])],
        [LIST(VARCHAR)],
      )
      const erased = await this.#erasedAmong(connection, projectId, options.restoreErased === true)
      for (const id of erased) unique.delete(id)
      const replaced = await connection.run(
        `delete from calls using incoming where project_id = $1 and calls.session_id = incoming.session_id
           and calls.session_key = ${sessionKey('incoming.session_id')}`,
        [projectId],
      )
      await this.#insert(connection, projectId, [...unique.values()])
      return { stored: unique.size, replaced: replaced.rowsChanged, erased }
    })
  }

  /**
   * Resolves when the erasure is durable: no query finds the call, and the log no longer holds it. An id that was not
   * there is not remembered.
   *
   * Known limit (measured): the engine does not overwrite what it lets go. The call's bytes stay in unused blocks of
   * the file until they are reused; neither CHECKPOINT, VACUUM, overwriting the row first nor rewriting the table
   * changed that. Only a copy of the store into a new file is free of them.
   */
  async erase(projectId: string, sessionId: string): Promise<boolean> {
    const found = await this.#writer.transaction(async connection => {
      const deleted = await connection.run(
        `delete from calls where project_id = $1 and session_key = ${sessionKey('$2')} and session_id = $2`,
        [projectId, sessionId],
      )
      if (deleted.rowsChanged === 0) return false
      await connection.run(`insert into erased_calls select $1, ${erasedHash('$3::VARCHAR')}`, [
        projectId,
        this.#secret,
        sessionId,
      ])
      return true
    })
    if (found) await this.#writer.checkpoint()
    return found
  }

  async agentIds(projectId: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#reader.rows(
      `select agent_id, arg_max(agent_name, created_dt) from calls
       where project_id = $1 and agent_id is not null group by agent_id`,
      [projectId],
    )
    return new Map(rows.map(([id, name]) => [String(id), String(name)]))
  }

  async #insert(connection: DuckDBConnection, projectId: string, calls: readonly PreparedCall[]): Promise<void> {
    for (let start = 0; start < calls.length; start += SLICE) {
      // oxlint-disable no-await-in-loop -- a slice at a time bounds the memory
      await stageCalls(connection, calls.slice(start, start + SLICE), this.#chunk)
      await connection.run(insertCalls, [projectId])
      // oxlint-enable no-await-in-loop
    }
  }

  /** The incoming ids that were erased, which stay out; to restore them they are forgotten instead. */
  async #erasedAmong(connection: DuckDBConnection, projectId: string, restore: boolean): Promise<readonly string[]> {
    const any = await connection.runAndReadAll('select 1 from erased_calls where project_id = $1 limit 1', [projectId])
    if (any.currentRowCount === 0) return []
    if (restore) {
      await connection.run(
        `delete from erased_calls using incoming where project_id = $1 and session_hash = ${erasedHash('incoming.session_id')}`,
        [projectId, this.#secret],
      )
      return []
    }
    const refused = await connection.runAndReadAll(
      `delete from incoming where ${erasedHash('session_id')} in (select session_hash from erased_calls where project_id = $1)
       returning session_id`,
      [projectId, this.#secret],
    )
    return refused.getRowsJS().map(([id]) => id as string)
  }
}
