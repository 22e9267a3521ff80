import { calculateObjectSize, type Document as BsonDocument, Int32, Long } from 'bson'
import { type AnyBulkWriteOperation, type Collection, type Db, MongoError } from 'mongodb'
import { InTurn } from '../../base/in-turn.js'
import { Problem } from '../../base/problem.js'
import { CALL_SUBJECT } from '../event-store.js'
import type { ErasureNote } from '../store.js'
import { storeProblem } from './connect.js'
import { type CallDocument, factsOf, idOf, longOf } from './call-document.js'

/** Largest document that a server takes, with room for what a command says beside it. */
const MOST_BYTES = 16 * 1024 * 1024 - 64 * 1024
/** Calls looked at together where a write is finished that was cut off. */
const FEW = 256

/** Collections that keep something about calls, by project_id and session_id, beside deliveries. */
const ABOUT_CALLS = ['noted_calls', 'feedback', 'report_calls', 'model_answers'] as const
const RENAMED = ['noted_calls', 'feedback', 'report_calls'] as const

/** Any document with an id of ours. */
export interface Kept extends BsonDocument {
  readonly _id: string
}

/**
 * A write under way. It is noted before the first of its steps and forgotten after the last, so that one that was cut off is
 * finished by whoever writes next: facts are made of calls anew, and what was to be erased is erased.
 */
interface Unfinished {
  readonly _id: number
  readonly project_id: string
  readonly session_ids: readonly string[]
  readonly erasure?: Erasure
}

interface Erasure extends ErasureNote {
  readonly at: string
  /** Ids of those that were there. */
  readonly found: readonly string[]
}

/** What a write changes. */
export interface Changes {
  readonly put: readonly CallDocument[]
  /** Ids of calls that go, which others take the place of. */
  readonly gone?: readonly string[]
}

interface Parts {
  readonly db: Db
  /** Where the store is, for sentences. */
  readonly where: string
  /** The tombstone of an erased call. */
  readonly tombstone: (projectId: string, sessionId: string) => string
  /** Throws where this process may not write any more. */
  readonly mayWrite: () => void
}

/**
 * The one way to write calls. Writes come one after the other, as of a store's one lane: what is read before a write is so while it
 * is made. Each writes `calls` first and then `facts`, all under one number.
 */
export class CallWriter {
  readonly #parts: Parts
  readonly #turns = new InTurn()
  readonly #changes = new Map<string, number>()
  /** Writes may be unfinished: this process has not looked, or one of its own was cut off. */
  #unsure = true

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get calls(): Collection<Kept> {
    return this.#parts.db.collection<Kept>('calls')
  }

  /** A number that grows when a change of calls of a project begins, and when one ends. */
  changes(projectId: string): number {
    return this.#changes.get(projectId) ?? 0
  }

  /** Does work that nothing is written beside. */
  writing<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      const { mayWrite, where } = this.#parts
      mayWrite()
      this.#changed(projectId)
      try {
        if (this.#unsure) await this.#finishAll()
        return await work()
      } catch (error) {
        throw error instanceof MongoError ? storeProblem(error, where) : error
      } finally {
        this.#changed(projectId)
      }
    })
  }

  /** Finishes what was cut off. */
  async finish(): Promise<void> {
    await this.#turns.run(async () => {
      this.#parts.mayWrite()
      if (this.#unsure) await this.#finishAll()
    })
  }

  /** The number of a write, and the first of so many places. */
  async number(places: number): Promise<{ readonly write: number; readonly place: bigint }> {
    const counters = this.#parts.db.collection<Kept>('counters')
    const counted = await counters.findOneAndUpdate(
      { _id: 'writes' },
      { $inc: { writes: 1, places: Long.fromNumber(places) } },
      { upsert: true, returnDocument: 'after', promoteLongs: false },
    )
    return {
      write: Number(counted?.['writes'] ?? 1) - 1,
      place: longOf(counted?.['places'] ?? places) - BigInt(places),
    }
  }

  /** Writes calls and what is derived from them; within `writing`. @throws Problem before anything is written, where one is too large */
  async apply(projectId: string, write: number, { put, gone = [] }: Changes): Promise<void> {
    for (const document of put) {
      if (calculateObjectSize(document) > MOST_BYTES) {
        throw new Problem(
          'too_large',
          'A call is larger than the 16 MiB that this store can keep of one; shorten its transcript',
        )
      }
    }
    if (put.length + gone.length === 0) return
    const session_ids = [...put.map(document => String(document['session_id'])), ...gone]
    await this.#noting({ _id: write, project_id: projectId, session_ids }, async () => {
      await this.#replace('calls', projectId, put, gone)
      await this.#replace('facts', projectId, put.map(factsOf), gone)
    })
  }

  /** Erases calls and all that is kept about them; within `writing`. Gives back how many there were. */
  async erase(projectId: string, sessionIds: readonly string[], note: ErasureNote): Promise<number> {
    const ids = sessionIds.map(id => idOf(projectId, id))
    const there = await this.calls.find({ _id: { $in: ids } }, { projection: { session_id: 1 } }).toArray()
    const found = there.map(one => String(one['session_id']))
    const { write } = await this.number(0)
    const erasure = { by: note.by, how: note.how, at: new Date().toISOString(), found }
    const unfinished = { _id: write, project_id: projectId, session_ids: [...sessionIds], erasure }
    await this.#noting(unfinished, () => this.#erase(unfinished))
    return found.length
  }

  /** Gives what is kept about calls to others, whose ids they have from then on; within `writing`. */
  async rename(projectId: string, renamed: ReadonlyMap<string, string>): Promise<void> {
    const { db } = this.#parts
    for (const [to, from] of renamed) {
      const of = { project_id: projectId, session_id: from }
      // oxlint-disable no-await-in-loop -- one call after the other
      for (const name of RENAMED) await db.collection(name).updateMany(of, { $set: { session_id: to } })
      await db
        .collection('event_deliveries')
        .updateMany(
          { project_id: projectId, subject: `${CALL_SUBJECT}${from}` },
          { $set: { subject: `${CALL_SUBJECT}${to}` } },
        )
      await db.collection('model_answers').deleteMany(of)
      // oxlint-enable no-await-in-loop
    }
  }

  #changed(projectId: string): void {
    this.#changes.set(projectId, this.changes(projectId) + 1)
  }

  get #unfinished(): Collection<Unfinished> {
    return this.#parts.db.collection<Unfinished>('unfinished_writes')
  }

  async #noting(unfinished: Unfinished, work: () => Promise<void>): Promise<void> {
    this.#parts.mayWrite()
    await this.#unfinished.insertOne(unfinished)
    this.#unsure = true
    await work()
    await this.#unfinished.deleteOne({ _id: unfinished._id })
    this.#unsure = false
  }

  async #replace(
    collection: 'calls' | 'facts',
    projectId: string,
    put: readonly CallDocument[],
    gone: readonly string[],
  ): Promise<void> {
    const operations: AnyBulkWriteOperation<Kept>[] = [
      ...gone.map(id => ({ deleteOne: { filter: { _id: idOf(projectId, id) } } })),
      ...put.map(document => ({
        replaceOne: { filter: { _id: String(document['_id']) }, replacement: document as Kept, upsert: true },
      })),
    ]
    await this.#parts.db.collection<Kept>(collection).bulkWrite(operations, { ordered: true })
  }

  /** Tombstones first: what comes in meanwhile, or after it was cut off, stays out. All of it may be done again. */
  async #erase({ _id, project_id: projectId, session_ids: sessionIds, erasure }: Unfinished): Promise<void> {
    const { db, tombstone } = this.#parts
    const { found = [], at, by, how } = erasure ?? {}
    if (found.length > 0) {
      await db.collection<Kept>('erased_calls').bulkWrite(
        found.map(id => {
          const hash = tombstone(projectId, id)
          return {
            replaceOne: {
              filter: { _id: hash },
              replacement: { project_id: projectId } as BsonDocument as Kept,
              upsert: true,
            },
          }
        }),
      )
    }
    const ids = sessionIds.map(id => idOf(projectId, id))
    for (const name of ['facts', 'calls']) {
      // oxlint-disable-next-line no-await-in-loop -- one collection after the other
      await db.collection<Kept>(name).deleteMany({ _id: { $in: ids } })
    }
    // Also of ids that were not there.
    for (const name of ABOUT_CALLS) {
      // oxlint-disable-next-line no-await-in-loop -- one collection after the other
      await db.collection(name).deleteMany({ project_id: projectId, session_id: { $in: [...sessionIds] } })
    }
    const subjects = sessionIds.map(id => `${CALL_SUBJECT}${id}`)
    await db.collection('event_deliveries').deleteMany({ project_id: projectId, subject: { $in: subjects } })
    if (found.length === 0) return
    const note = { project_id: projectId, erased_at: at, erased_by: by, how, calls: new Int32(found.length) }
    await db.collection<Kept>('erasures').replaceOne({ _id: `write-${_id}` }, note, { upsert: true })
  }

  async #finishAll(): Promise<void> {
    for (const unfinished of await this.#unfinished.find({}, { sort: { _id: 1 } }).toArray()) {
      // oxlint-disable no-await-in-loop -- one write after the other
      if (unfinished.erasure === undefined) await this.#factsAnew(unfinished)
      else await this.#erase(unfinished)
      await this.#unfinished.deleteOne({ _id: unfinished._id })
      // oxlint-enable no-await-in-loop
    }
    this.#unsure = false
  }

  async #factsAnew({ project_id: projectId, session_ids: sessionIds }: Unfinished): Promise<void> {
    for (let at = 0; at < sessionIds.length; at += FEW) {
      const some = sessionIds.slice(at, at + FEW)
      // oxlint-disable no-await-in-loop -- some calls after the others
      const there = await this.read(projectId, some)
      const gone = some.filter(id => !there.has(id))
      await this.#replace('facts', projectId, [...there.values()].map(factsOf), gone)
      // oxlint-enable no-await-in-loop
    }
  }

  /** Whole calls by their ids: of those that are there. */
  async read(projectId: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, CallDocument>> {
    const ids = sessionIds.map(id => idOf(projectId, id))
    const found = await this.calls.find({ _id: { $in: ids } }, { promoteValues: false }).toArray()
    return new Map(found.map(one => [String(one['session_id']), one]))
  }
}
