import { oauthRecord, type OAuthRecord, type OAuthStore } from '../oauth-store.js'
import type { Reading, Writing } from './engine.js'
import { AT_A_START } from './reading/reader.js'

/** Keeps connections of AI clients, each part of one as its JSON. */
export class DuckDbOAuth implements OAuthStore {
  readonly #writer: Writing
  readonly #reader: Reading

  constructor(writer: Writing, reader: Reading) {
    this.#writer = writer
    this.#reader = reader
  }

  async put(record: OAuthRecord): Promise<void> {
    await this.#writer.transaction(async connection => {
      await connection.run('delete from oauth where kind = $1 and id_hash = $2', [record.kind, record.id_hash])
      await connection.run('insert into oauth values ($1, $2, $3)', [
        record.kind,
        record.id_hash,
        JSON.stringify(record),
      ])
    })
  }

  async remove(records: readonly Pick<OAuthRecord, 'kind' | 'id_hash'>[]): Promise<void> {
    if (records.length === 0) return
    await this.#writer.transaction(async connection => {
      for (const { kind, id_hash: hash } of records) {
        // oxlint-disable-next-line no-await-in-loop -- one connection runs one statement at a time
        await connection.run('delete from oauth where kind = $1 and id_hash = $2', [kind, hash])
      }
    })
  }

  async all(): Promise<readonly OAuthRecord[]> {
    const rows = await this.#reader.rows('select record from oauth order by kind, id_hash', [], AT_A_START)
    return rows.map(([record]) => oauthRecord.parse(JSON.parse(String(record))))
  }
}
