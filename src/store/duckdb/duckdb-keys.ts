import { Problem } from '../../base/problem.js'
import { key, type KeyRecord } from '../records/key.js'
import type { KeyStore } from '../store.js'
import { isDuplicate } from './writing/is-duplicate.js'
import type { Reading, Writing } from './engine.js'
import { AT_A_START } from './reading/reader.js'

/** The key as its JSON column holds it: last_used_at has a column of its own. */
function recordOf(key: KeyRecord): string {
  const { last_used_at: _, ...record } = key
  return JSON.stringify(record)
}

/** Keeps application keys; of the token only what KeyRecord holds. */
export class DuckDbKeys implements KeyStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  /** Rejects with a Problem (conflict) when there is one with this key_id. */
  async insert(key: KeyRecord): Promise<void> {
    try {
      await this.#writer.transaction(connection =>
        connection.run('insert into application_keys values ($1, $2, $3, $4::TIMESTAMPTZ::TIMESTAMP)', [
          key.key_id,
          key.project_id,
          recordOf(key),
          key.last_used_at ?? null,
        ]),
      )
    } catch (error) {
      if (isDuplicate(error)) throw new Problem('conflict', 'A key with this key_id exists already')
      throw error
    }
  }

  /** Rejects with a Problem (not_found) when there is none with this key_id. Its last use is `touch`'s to write. */
  async update(key: KeyRecord): Promise<void> {
    const { rowsChanged } = await this.#writer.transaction(connection =>
      connection.run('update application_keys set project_id = $2, record = $3 where key_id = $1', [
        key.key_id,
        key.project_id,
        recordOf(key),
      ]),
    )
    if (rowsChanged === 0) throw new Problem('not_found', 'Key not found')
  }

  async all(): Promise<readonly KeyRecord[]> {
    const rows = await this.#reader.rows(
      'select record, last_used_at from application_keys order by key_id',
      [],
      AT_A_START,
    )
    return rows.map(([text, lastUsed]) => {
      const record = key.stored.parse(JSON.parse(String(text)))
      return lastUsed instanceof Date ? { ...record, last_used_at: lastUsed.toISOString() } : record
    })
  }

  /** Notes when keys were last used, by key_id; ids that are gone are passed over. */
  async touch(lastUsed: ReadonlyMap<string, string>): Promise<void> {
    if (lastUsed.size === 0) return
    await this.#writer.transaction(async connection => {
      const update = await connection.prepare(
        'update application_keys set last_used_at = $2::TIMESTAMPTZ::TIMESTAMP where key_id = $1',
      )
      try {
        for (const [keyId, at] of lastUsed) {
          update.bind([keyId, at])
          // oxlint-disable-next-line no-await-in-loop -- one connection runs one statement at a time
          await update.run()
        }
      } finally {
        update.destroySync()
      }
    })
  }
}
