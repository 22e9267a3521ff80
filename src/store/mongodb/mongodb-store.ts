import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Requester } from '../../admission/requester.js'
import { faultClass } from '../../base/fault-class.js'
import type { NotReady } from '../../base/not-ready.js'
import type { ScopedPipeline } from '../../pipeline/index.js'
import { defaultRestBounds, type RestBounds } from '../rest-bounds.js'
import type { CallStore, CountStore, Reading, RunOptions, RunPlan, RunResult, Store, StoreLoad } from '../store.js'
import { CallWriter, type Kept } from './call-writer.js'
import type { StoreConnection } from './connect.js'
import { MongoCalls } from './mongodb-calls.js'
import { MongoPipelines } from './mongodb-pipelines.js'
import { MongoPrivacy } from './mongodb-privacy.js'
import { MongoReader } from './mongodb-reader.js'
import type { Names } from './native.js'
import { probe } from './probe.js'

/** The parts of a store that this one has. */
type Parts = Pick<
  Store,
  'calls' | 'counts' | 'privacy' | 'run' | 'stream' | 'plan' | 'load' | 'notReady' | 'ping' | 'close'
>

export interface MongoStoreOptions {
  /** What stages outside the server may take, where it is not the default. */
  readonly rest?: Partial<RestBounds> | undefined
  /** Throws where this process may not write any more. */
  readonly mayWrite?: () => void
  /** Done before the connection is closed. */
  readonly ending?: () => Promise<void>
  /** Hears when calls were written that somebody wants to know of. */
  readonly noted?: () => void
}

/** What is found out of a server when its store is opened. */
interface Known {
  readonly secret: string
  readonly otherwise: Names
}

/** Indexes of `calls` and `facts`, all behind the project. `_id` is the project and the session. */
const INDEXES = [
  ['created_dt', 'session_id'],
  ['agent_name', 'created_dt'],
  ['write_number', 'session_id'],
] as const
const INDEXES_OF_CALLS = [['place'], ['session_key'], ['recording_url']] as const
const INDEXES_OF_FACTS = [
  ['present_signals', 'created_dt'],
  ['guidance_keys', 'created_dt'],
  ['score'],
  ['outcome_lift.lift'],
] as const

/**
 * Calls and questions over a MongoDB server. Of one process at a time: that writes come one after the other is known in this process
 * alone.
 */
export class MongoStore implements Parts {
  readonly calls: CallStore
  readonly counts: CountStore
  readonly privacy: MongoPrivacy
  readonly #connection: StoreConnection
  readonly #reader: MongoReader
  readonly #pipelines: MongoPipelines
  readonly #ending: () => Promise<void>
  #bytes = 0
  #closing: Promise<void> | undefined

  /** What its server does otherwise than MongoDB, which is evaluated here. */
  readonly otherwise: Names

  private constructor(connection: StoreConnection, known: Known, options: MongoStoreOptions) {
    const { secret, otherwise } = known
    const { db, where } = connection
    this.#connection = connection
    this.#ending = options.ending ?? (async () => undefined)
    this.#reader = new MongoReader(connection)
    this.#pipelines = new MongoPipelines(this.#reader, { ...defaultRestBounds, ...options.rest }, otherwise)
    this.otherwise = otherwise
    // The keyed hash an erased id is remembered by; no project has a colon in it.
    const tombstone = (projectId: string, sessionId: string): string =>
      `${projectId}:${createHash('sha256').update(`${secret}:${projectId}:${sessionId}`).digest('hex')}`
    const writer = new CallWriter({ db, where, tombstone, mayWrite: options.mayWrite ?? (() => undefined) })
    this.privacy = new MongoPrivacy(db)
    this.calls = new MongoCalls({
      db,
      writer,
      tombstone,
      privacy: this.privacy,
      noted: options.noted ?? (() => undefined),
    })
    this.counts = {
      run: (scoped, asked) => this.#pipelines.count(scoped, asked),
      changes: projectId => writer.changes(projectId),
      // None are kept yet: each question counts the calls.
      countDays: async () => 0,
    }
  }

  /** Makes what is not there yet: indexes, and the secret that erased ids are hashed with. */
  static async open(connection: StoreConnection, options: MongoStoreOptions = {}): Promise<MongoStore> {
    const { db } = connection
    for (const [name, own] of [
      ['calls', INDEXES_OF_CALLS],
      ['facts', INDEXES_OF_FACTS],
    ] as const) {
      const keys = [...INDEXES, ...own].map(fields => ({
        key: Object.fromEntries(['project_id', ...fields].map(field => [field, 1])),
      }))
      // oxlint-disable-next-line no-await-in-loop -- one collection after the other
      await db.collection(name).createIndexes(keys)
    }
    const made = await db
      .collection<Kept>('secrets')
      .findOneAndUpdate(
        { _id: 'erased-ids' },
        { $setOnInsert: { secret: randomBytes(32).toString('hex') } },
        { upsert: true, returnDocument: 'after' },
      )
    return new MongoStore(connection, { secret: String(made?.['secret']), otherwise: await probe(db) }, options)
  }

  run(scoped: ScopedPipeline, options: RunOptions): Promise<RunResult> {
    return this.#pipelines.run(scoped, options)
  }

  stream(reading: Reading, requester: Requester, signal?: AbortSignal): Readable {
    return this.#pipelines.stream(reading, requester, signal)
  }

  plan(scoped: ScopedPipeline): RunPlan {
    return this.#pipelines.plan(scoped)
  }

  load(): StoreLoad {
    return { lanes: this.#reader.load, bytes: this.#bytes, remembered: { given: 0, found: 0, bytes: 0 } }
  }

  notReady(): NotReady | undefined {
    const { fault } = this.#reader
    return fault && { code: 'store_unavailable', cause: faultClass(fault.cause) }
  }

  async ping(): Promise<void> {
    const { db } = this.#connection
    // A document of the store, not a constant: that its server may be read.
    await db.collection<Kept>('secrets').findOne({ _id: 'erased-ids' }, { projection: { _id: 1 } })
    const stats = await db.command({ dbStats: 1 }).catch(() => ({}))
    this.#bytes = Number('storageSize' in stats ? stats['storageSize'] : 0)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#reader.close()
    try {
      await this.#pipelines.close()
      await this.#ending()
    } finally {
      await this.#connection.client.close()
    }
  }
}
