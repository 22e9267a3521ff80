import { z } from 'zod'
import type { PassingKind, PassingRecord, PassingStore } from '../oauth-store.js'
import type { MongoDatabase } from './mongodb-database.js'

const COLLECTION = 'oauth_passing'
const FORGET_EVERY_MS = 60_000

const kept = z.object({ payload: z.string(), consumed: z.number().optional(), expires_at: z.date() })
const payload = z.record(z.string(), z.unknown())

const idOf = (kind: PassingKind, hash: string): string => `${kind}:${hash}`

/** What passes in a sign-in, for whichever process is asked next; everything that lets somebody in as its hash only. */
export class MongoPassing implements PassingStore {
  readonly #database: MongoDatabase
  readonly refreshToken: PassingStore['refreshToken']
  #forgotAt = -Infinity

  constructor(database: MongoDatabase, refreshToken: PassingStore['refreshToken']) {
    this.#database = database
    this.refreshToken = refreshToken
  }

  async put({ kind, id_hash: hash, grant_hash: grant, payload: written, expires_at }: PassingRecord): Promise<void> {
    const set = { kind, grant, payload: JSON.stringify(written), expires_at: new Date(expires_at) }
    await this.#writing.updateOne({ _id: idOf(kind, hash) }, { $set: set }, { upsert: true })
    await this.#forget()
  }

  async find(kind: PassingKind, hash: string): Promise<PassingRecord | undefined> {
    const found = await this.#database.reading(COLLECTION).findOne({ _id: idOf(kind, hash) })
    if (found === null) return undefined
    const { consumed, expires_at: end, ...one } = kept.parse(found)
    if (end.getTime() <= Date.now()) return undefined
    const written = { ...payload.parse(JSON.parse(one.payload)), ...(consumed !== undefined && { consumed }) }
    return { kind, id_hash: hash, payload: written, expires_at: end.toISOString() }
  }

  async consume(kind: PassingKind, hash: string, at: number): Promise<boolean> {
    const unused = { _id: idOf(kind, hash), consumed: { $exists: false } }
    const { matchedCount } = await this.#writing.updateOne(unused, { $set: { consumed: at } })
    return matchedCount > 0
  }

  async remove(kind: PassingKind, hash: string): Promise<void> {
    await this.#writing.deleteOne({ _id: idOf(kind, hash) })
  }

  async removeOf(grants: readonly string[]): Promise<void> {
    await this.#writing.deleteMany({ grant: { $in: [...grants] } })
  }

  async #forget(): Promise<void> {
    const now = performance.now()
    if (now - this.#forgotAt < FORGET_EVERY_MS) return
    this.#forgotAt = now
    await this.#writing.deleteMany({ expires_at: { $lt: new Date() } })
  }

  get #writing() {
    return this.#database.writing(COLLECTION)
  }
}
