import type { Document as BsonDocument } from 'bson'
import { z } from 'zod'
import {
  type AuditChain,
  type AuditChainStore,
  type AuditLine,
  type ChainList,
  type SealedPlace,
  seqOf,
} from '../audit-chains.js'
import { isDuplicateKey, type MongoDatabase } from './mongodb-database.js'

/** The lines are the activity that questions count: nothing has to be copied. */
const LINES = 'activity'
const CHAINS = 'audit_chains'
const LIST = { _id: 'audit-chains' }

type Numbered = BsonDocument & { readonly _id: number }

const place = z.object({ counter: z.number(), mac: z.string(), seal: z.string() })
const keptChain = z
  .object({
    _id: z.number(),
    host: z.string(),
    pid: z.number(),
    started: z.string(),
    seal: z.string(),
    begins: place,
    head: place,
  })
  .transform(({ _id, ...chain }): AuditChain => ({ number: _id, ...chain }))
const keptList = z.object({ first: z.number(), last: z.number(), seal: z.string() })
const keptPosition = z.object({ chains: z.array(z.tuple([z.number(), z.number()])) })

/** Fields that a line has beside its event. What a line says that is no such field is its event's: seals are over all of it. */
function toDocument({ seq, written, event, mac }: AuditLine): Numbered {
  return { ...event, _id: seq, at: new Date(String(event['at'])), written: new Date(written), mac }
}

const asText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

function toLine({ _id, at, written, mac, ...event }: BsonDocument): AuditLine {
  return { seq: Number(_id), written: asText(written), event: { at: asText(at), ...event }, mac: asText(mac) }
}

/** Lines of one chain lie side by side: by their numbers. */
const ofChain = (chain: number, after: number) => ({ _id: { $gt: seqOf(chain, after), $lt: seqOf(chain + 1, 0) } })

/** Keeps the audit trail as documents, and what seals it beside. */
export class MongoAuditChains implements AuditChainStore {
  readonly #database: MongoDatabase

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  async list(): Promise<ChainList | undefined> {
    const found = await this.#database.reading('counters').findOne(LIST)
    return found === null ? undefined : keptList.parse(found)
  }

  async putList(list: ChainList, inPlaceOf: ChainList | undefined): Promise<boolean> {
    const counters = this.#database.writing('counters')
    if (inPlaceOf !== undefined) {
      const { matchedCount } = await counters.updateOne({ ...LIST, seal: inPlaceOf.seal }, { $set: { ...list } })
      return matchedCount > 0
    }
    return await isNew(counters.insertOne({ ...LIST, ...list }))
  }

  begin({ number, ...chain }: AuditChain): Promise<boolean> {
    return isNew(this.#chains.insertOne({ _id: number, ...chain }))
  }

  async chains(): Promise<readonly AuditChain[]> {
    const found = await this.#database
      .reading<Numbered>(CHAINS)
      .find({}, { sort: { _id: 1 } })
      .toArray()
    return found.map(one => keptChain.parse(one))
  }

  async append(lines: readonly AuditLine[]): Promise<void> {
    await this.#lines.insertMany(lines.map(toDocument))
  }

  async putHead(chain: number, head: SealedPlace): Promise<void> {
    const { matchedCount } = await this.#chains.updateOne({ _id: chain }, { $set: { head } })
    if (matchedCount === 0) throw new Error(`The chain ${chain} of the audit trail is gone`)
  }

  async putBegins(chain: number, begins: SealedPlace): Promise<void> {
    await this.#chains.updateOne({ _id: chain }, { $set: { begins } })
  }

  async lines(chain: number, after: number, limit: number): Promise<readonly AuditLine[]> {
    const found = await this.#database
      .reading<Numbered>(LINES)
      .find(ofChain(chain, after), { sort: { _id: 1 }, limit })
      .toArray()
    return found.map(toLine)
  }

  async firstSince(chain: number, instant: string): Promise<AuditLine | undefined> {
    const filter = { ...ofChain(chain, 0), written: { $gte: new Date(instant) } }
    const [found] = await this.#database
      .reading<Numbered>(LINES)
      .find(filter, { sort: { _id: 1 }, limit: 1 })
      .toArray()
    return found === undefined ? undefined : toLine(found)
  }

  async removeBefore(chain: number, counter: number): Promise<number> {
    const { deletedCount } = await this.#lines.deleteMany({ _id: { $gt: seqOf(chain, 0), $lt: seqOf(chain, counter) } })
    return deletedCount
  }

  async removeChain(chain: number): Promise<void> {
    await this.#lines.deleteMany(ofChain(chain, 0))
    await this.#chains.deleteOne({ _id: chain })
  }

  async *byTime(filter?: { readonly projectId: string; readonly sessionHash: string }): AsyncIterable<AuditLine> {
    const narrowed = filter && { project_id: { $eq: filter.projectId }, session_hashes: { $eq: filter.sessionHash } }
    const found = this.#database.reading<Numbered>(LINES).find(narrowed ?? {}, { sort: { at: 1, _id: 1 } })
    for await (const one of found) yield toLine(one)
  }

  async position(name: string): Promise<ReadonlyMap<number, number>> {
    const found = await this.#database.reading('counters').findOne({ _id: name })
    return new Map(found === null ? [] : keptPosition.parse(found).chains)
  }

  async putPosition(name: string, position: ReadonlyMap<number, number>): Promise<void> {
    const set = { $set: { chains: [...position] } }
    await this.#database.writing('counters').updateOne({ _id: name }, set, { upsert: true })
  }

  get #lines() {
    return this.#database.writing<Numbered>(LINES)
  }

  get #chains() {
    return this.#database.writing<Numbered>(CHAINS)
  }
}

/** `false` where the id of what is inserted is taken. */
async function isNew(inserted: Promise<unknown>): Promise<boolean> {
  try {
    await inserted
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}
