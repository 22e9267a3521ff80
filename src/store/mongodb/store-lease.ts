import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Int32 } from 'bson'
import type { Collection } from 'mongodb'
import { Problem } from '../../base/problem.js'
import { StoreHeld } from '../store-held.js'
import { isDuplicateKey, type Kept } from './mongodb-database.js'
import type { StoreConnection } from './connect.js'

/** How long a process that does not renew it has the store, by the server's clock; milliseconds. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000
/** So long before its end nothing is written any more: what was sent is done by then. Milliseconds. */
const MARGIN_MS = 10_000
const ID = 'store'

interface LeaseOptions {
  /** Milliseconds that only ever go on. */
  readonly clock?: () => number
}

/**
 * That this process alone has the store: writes come one after the other only within a process. It has to be renewed; whoever
 * could not do so stops writing before another may take it over. Each taking has a higher fence than all before.
 */
export class StoreLease {
  readonly fence: number
  readonly #connection: StoreConnection
  readonly #by: string
  readonly #clock: () => number
  readonly #renewing: NodeJS.Timeout
  #writesUntil: number
  #lost = false

  private constructor(
    connection: StoreConnection,
    taken: { by: string; fence: number; began: number; clock: () => number },
  ) {
    this.#connection = connection
    this.#by = taken.by
    this.fence = taken.fence
    this.#clock = taken.clock
    this.#writesUntil = taken.began + LEASE_MS - MARGIN_MS
    // What fails is tried again: the time until which it may write goes on by nothing else.
    this.#renewing = setInterval(() => void this.renew().catch(() => undefined), RENEW_MS)
    this.#renewing.unref()
  }

  /** @throws StoreHeld that names who has it, and until when where that process is gone */
  static async take(
    connection: StoreConnection,
    { clock = () => performance.now() }: LeaseOptions = {},
  ): Promise<StoreLease> {
    const leases = leasesOf(connection)
    const by = `${hostname()}, process ${process.pid} (${randomUUID()})`
    const began = clock()
    const now = await serverNow(connection)
    try {
      const taken = await leases.findOneAndUpdate(
        { _id: ID, until: { $lte: new Date(now) } },
        { $set: { by, until: new Date(now + LEASE_MS) }, $inc: { fence: new Int32(1) } },
        { upsert: true, returnDocument: 'after' },
      )
      return new StoreLease(connection, { by, fence: Number(taken?.['fence']), began, clock })
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
      throw await heldBy(connection)
    }
  }

  /** Who has it at the moment; undefined where nobody does. */
  static async heldBy(connection: StoreConnection): Promise<StoreHeld | undefined> {
    const now = new Date(await serverNow(connection))
    const held = await leasesOf(connection).findOne({ _id: ID, until: { $gt: now } })
    return held === null ? undefined : await heldBy(connection)
  }

  /** Has it for longer; a process that another took it from is told so by `mayWrite` from then on. */
  async renew(): Promise<void> {
    if (this.#lost) return
    const began = this.#clock()
    const until = new Date((await serverNow(this.#connection)) + LEASE_MS)
    const ours = { _id: ID, by: this.#by, fence: this.fence }
    const { matchedCount } = await leasesOf(this.#connection).updateOne(ours, { $set: { until } })
    if (matchedCount === 0) this.#lost = true
    else this.#writesUntil = began + LEASE_MS - MARGIN_MS
  }

  /** @throws Problem where this process has it no longer, or can't know */
  readonly mayWrite = (): void => {
    if (!this.#lost && this.#clock() < this.#writesUntil) return
    const why = this.#lost ? 'another process has taken it over' : 'its lease could not be renewed'
    throw new Problem('store_unavailable', `Nothing is written to the store at ${this.#connection.where}: ${why}`)
  }

  /** Gives it back, so that another may take it at once. */
  async release(): Promise<void> {
    clearInterval(this.#renewing)
    if (this.#lost) return
    this.#lost = true
    const ours = { _id: ID, by: this.#by, fence: this.fence }
    await leasesOf(this.#connection).updateOne(ours, { $set: { until: new Date(0) } })
  }
}

const leasesOf = ({ db }: StoreConnection): Collection<Kept> => db.collection<Kept>('leases')

/** The server's time: that of the processes may differ. Milliseconds since 1970. */
async function serverNow({ db }: StoreConnection): Promise<number> {
  const { localTime }: { readonly localTime?: unknown } = await db.admin().command({ hello: 1 })
  return localTime instanceof Date ? localTime.getTime() : Date.now()
}

async function heldBy(connection: StoreConnection): Promise<StoreHeld> {
  const lease = await leasesOf(connection).findOne({ _id: ID })
  const until: unknown = lease?.['until']
  const holder = String(lease?.['by'] ?? 'another process').replace(/ \([0-9a-f-]+\)$/, '')
  const free = until instanceof Date ? `; if it is gone, from ${until.toISOString()} on another may` : ''
  return new StoreHeld(`The store at ${connection.where} is in use by ${holder}. Stop it${free}`, undefined)
}
