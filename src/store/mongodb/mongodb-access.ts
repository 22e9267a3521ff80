import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { oauthRecord, type OAuthRecord, type OAuthStore } from '../oauth-store.js'
import { key, type KeyRecord } from '../records/key.js'
import { project, type ProjectRecord } from '../records/project.js'
import type { KeyStore, ProjectStore } from '../store.js'
import type { MongoDatabase } from './mongodb-database.js'
import { MongoPassing } from './mongodb-passing.js'
import { MongoRecords } from './mongodb-records.js'

/** Keeps projects. */
export class MongoProjects implements ProjectStore {
  readonly #records: MongoRecords<ProjectRecord>

  constructor(database: MongoDatabase) {
    this.#records = new MongoRecords(database, 'projects', project.stored, 'projects')
  }

  /** Rejects with a Problem (conflict) when there is one with this id. */
  async insert(record: ProjectRecord): Promise<void> {
    if (await this.#records.insert(record.project_id, record)) return
    throw new Problem('conflict', `Project ${echo(record.project_id)} exists already`)
  }

  /** Rejects with a Problem (not_found) when there is none with this id. */
  async update(record: ProjectRecord): Promise<void> {
    if (await this.#records.update(record.project_id, record)) return
    throw new Problem('not_found', `Project not found: ${echo(record.project_id)}`)
  }

  all(): Promise<readonly ProjectRecord[]> {
    return this.#records.find({}, { _id: 1 })
  }
}

/** Keeps application keys; of the token only what KeyRecord holds. When one was last used stands beside its JSON. */
export class MongoKeys implements KeyStore {
  readonly #database: MongoDatabase
  readonly #records: MongoRecords<KeyRecord>

  constructor(database: MongoDatabase) {
    this.#database = database
    this.#records = new MongoRecords(database, 'application_keys', key.stored, 'keys')
  }

  /** Rejects with a Problem (conflict) when there is one with this key_id. */
  async insert(record: KeyRecord): Promise<void> {
    const { last_used_at: used, ...kept } = record
    const { key_id, project_id } = kept
    const last = used === undefined ? {} : { last_used_at: new Date(used) }
    if (await this.#records.insert(key_id, kept, { project_id, ...last })) return
    throw new Problem('conflict', 'A key with this key_id exists already')
  }

  /** Rejects with a Problem (not_found) when there is none with this key_id. Its last use is `touch`'s to write. */
  async update(record: KeyRecord): Promise<void> {
    const { last_used_at: _, ...kept } = record
    if (await this.#records.update(kept.key_id, kept, { project_id: kept.project_id })) return
    throw new Problem('not_found', 'Key not found')
  }

  async all(): Promise<readonly KeyRecord[]> {
    const found = await this.#database
      .reading('application_keys')
      .find({}, { sort: { _id: 1 } })
      .toArray()
    return found.map(one => {
      const record = key.stored.parse(JSON.parse(String(one['record'])))
      const used: unknown = one['last_used_at']
      return used instanceof Date ? { ...record, last_used_at: used.toISOString() } : record
    })
  }

  /** Notes when keys were last used, by key_id; ids that are gone are passed over. */
  async touch(lastUsed: ReadonlyMap<string, string>): Promise<void> {
    if (lastUsed.size === 0) return
    await this.#database.writing('application_keys').bulkWrite(
      [...lastUsed].map(([id, at]) => ({
        updateOne: { filter: { _id: id }, update: { $set: { last_used_at: new Date(at) } } },
      })),
    )
  }
}

const idOf = ({ kind, id_hash: hash }: Pick<OAuthRecord, 'kind' | 'id_hash'>): string => `${kind}:${hash}`

const isToken = ({ kind }: Pick<OAuthRecord, 'kind'>): boolean => kind === 'RefreshToken'

/** Keeps connections of AI clients. */
export class MongoOAuth implements OAuthStore {
  readonly passing: MongoPassing
  readonly #records: MongoRecords<OAuthRecord>
  /** Of which nobody is told. */
  readonly #tokens: MongoRecords<OAuthRecord>

  constructor(database: MongoDatabase) {
    this.#records = new MongoRecords(database, 'oauth', oauthRecord, 'connections')
    this.#tokens = new MongoRecords(database, 'oauth', oauthRecord)
    this.passing = new MongoPassing(database, async hash => {
      const [found] = await this.#tokens.find({ _id: idOf({ kind: 'RefreshToken', id_hash: hash }) }, { _id: 1 })
      return found
    })
  }

  async put(record: OAuthRecord): Promise<void> {
    await (isToken(record) ? this.#tokens : this.#records).put(idOf(record), record)
  }

  async remove(records: readonly Pick<OAuthRecord, 'kind' | 'id_hash'>[]): Promise<void> {
    await (records.every(isToken) ? this.#tokens : this.#records).remove(...records.map(idOf))
  }

  all(): Promise<readonly OAuthRecord[]> {
    return this.#records.find({}, { _id: 1 })
  }
}
