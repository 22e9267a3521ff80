import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { Int32 } from 'bson'
import { type Collection, MongoServerError } from 'mongodb'
import { Problem } from '../../base/problem.js'
import type { Claim, Lease, Leases } from '../leases.js'
import type { StoreConnection } from './connect.js'
import { serverNow } from './server-now.js'

/** How long a process that does not renew a lease has it, by the server's clock, where nobody says otherwise; milliseconds. */
const LEASE_MS = 45_000
/**
 * Of that, how long the driver looks for a primary, and as long it is between two renewals. So long before the lease's end nothing is
 * written any more: what was begun until then is sent twice at most, each time after the driver has looked so long, and is small enough to
 * be done in a ninth of the lease.
 */
const SELECTION = 2 / 9
const MARGIN = 2 * SELECTION + 1 / 9
/** How often it is looked whether a lease may be written under, or has to be renewed; milliseconds. */
const LOOK_EVERY_MS = 1_000
/** Between two tries of who waits for a lease, in milliseconds. */
const RETRY_EVERY_MS = 50
/** Longest wait for one beyond the time that a process which died has it. Milliseconds. */
const MOST_WAIT_MS = 15_000
/** How long after its end the claim of a process that died is forgotten, by the server's clock; milliseconds. */
const FORGET_MS = 60 * 60 * 1000
/** Who waits and did not try for so long waits no more; milliseconds, by the server's clock. */
const GONE_MS = 3_000
const DUPLICATE_KEY = 11_000
/** Until when somebody has what was given back. */
const GIVEN_BACK = new Date(0)

/** Who has something; kept when it is given back, for its fence, unless it is a claim. */
interface KeptLease {
  readonly _id: string
  /** Another for each taking. */
  readonly by: string
  /** Host and process, for people. */
  readonly holder: string
  readonly until: Date
  readonly fence: number
  /** Of a claim: when the server removes it, should nobody. */
  readonly forgotten_at?: Date
}

/** Who waits for a lease that others have. */
interface KeptWait {
  readonly _id: string
  readonly name: string
  readonly since: Date
  readonly seen: Date
}

export interface MongoLeasesOptions {
  /** Milliseconds that only ever go on. */
  readonly clock?: () => number
  /** How long a process that does not renew a lease has it, milliseconds. */
  readonly leaseMs?: number | undefined
}

/** How long the driver may look for a primary where leases are so long, milliseconds. */
export const selectionMs = (leaseMs = LEASE_MS): number => Math.floor(leaseMs * SELECTION)

/**
 * Leases by the clock of the store's server. Whoever could not renew one stops writing by its own clock, a margin before another
 * may take it.
 */
export class MongoLeases implements Leases {
  readonly #connection: StoreConnection
  readonly #clock: () => number
  readonly #leaseMs: number
  readonly #held = new Set<HeldLease>()
  readonly #looking: NodeJS.Timeout
  #renewing: Promise<void> | undefined
  #renewedAt: number

  constructor(
    connection: StoreConnection,
    { clock = () => performance.now(), leaseMs = LEASE_MS }: MongoLeasesOptions = {},
  ) {
    this.#leaseMs = leaseMs
    this.#connection = connection
    this.#clock = clock
    this.#renewedAt = clock()
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  take(name: string): Promise<Lease | undefined> {
    return this.#take(name, false)
  }

  claim(name: string): Promise<Claim | undefined> {
    return this.#take(name, true)
  }

  async #take(name: string, isClaim: boolean): Promise<HeldLease | undefined> {
    const began = this.#clock()
    const now = await serverNow(this.#connection.db)
    const by = randomUUID()
    const holder = `${hostname()}, process ${process.pid}`
    try {
      const taken = await this.#leases.findOneAndUpdate(
        { _id: name, until: { $lte: new Date(now) } },
        { $set: { by, holder, ...this.#times(now, isClaim) }, $inc: { fence: new Int32(1) } },
        { upsert: true, returnDocument: 'after' },
      )
      const { where } = this.#connection
      const lease = new HeldLease({ name, by, isClaim, fence: Number(taken?.fence), where }, this.#clock, one =>
        this.#release(one),
      )
      lease.writesUntil(began + this.#leaseMs * (1 - MARGIN))
      this.#held.add(lease)
      return lease
    } catch (error) {
      if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return undefined
      // It may have been taken all the same.
      await this.#giveBack({ name, by, isClaim })
      throw error
    }
  }

  async held(prefix: string): Promise<ReadonlySet<string>> {
    const now = new Date(await serverNow(this.#connection.db))
    const found = await this.#leases
      .find({ _id: { $gte: prefix, $lt: `${prefix}\uFFFF` }, until: { $gt: now } }, { projection: { _id: 1 } })
      .toArray()
    return new Set(found.map(({ _id }) => _id))
  }

  /**
   * Takes a lease as soon as it is given back or its time is over: whoever waits longest first.
   * @param options.behind lets all who wait go first, as one does that gave it back for them
   * @param options.isClaim forgets it when it is given back
   * @throws Problem `store_unavailable` where others have it for too long
   */
  async wait(
    name: string,
    { behind = false, isClaim = false }: { readonly behind?: boolean; readonly isClaim?: boolean } = {},
  ): Promise<Lease> {
    const at = behind ? undefined : await this.#take(name, isClaim)
    if (at !== undefined) return at
    const _id = randomUUID()
    const began = this.#clock()
    const { db, where } = this.#connection
    try {
      for (;;) {
        // oxlint-disable no-await-in-loop -- until it is free
        const now = await serverNow(db)
        const [seen, gone] = [new Date(now), new Date(now - GONE_MS)]
        await this.#line.updateOne({ _id }, { $set: { seen }, $setOnInsert: { name, since: seen } }, { upsert: true })
        const [first] = await this.#line
          .find({ name, seen: { $gt: gone } }, { sort: { since: 1, _id: 1 }, limit: 1 })
          .toArray()
        const lease = first === undefined || first._id === _id ? await this.#take(name, isClaim) : undefined
        if (lease !== undefined) return lease
        if (this.#clock() - began > this.#leaseMs + MOST_WAIT_MS) {
          throw new Problem('store_unavailable', `Another process does not end what it writes to the store at ${where}`)
        }
        await setTimeout(RETRY_EVERY_MS)
        // oxlint-enable no-await-in-loop
      }
    } finally {
      await this.#line.deleteOne({ _id }).catch(() => undefined)
    }
  }

  /** Whether anybody waits for a lease. */
  async isWanted(name: string): Promise<boolean> {
    const gone = new Date((await serverNow(this.#connection.db)) - GONE_MS)
    return (await this.#line.findOne({ name, seen: { $gt: gone } }, { projection: { _id: 1 } })) !== null
  }

  /** Has all that it holds for longer; those that another took are lost from then on. */
  async renew(): Promise<void> {
    const ours = [...this.#held].filter(one => !one.hasEnded)
    if (ours.length === 0) return
    const began = this.#clock()
    const now = await serverNow(this.#connection.db)
    // A taking has an id of its own: what it names is ours, whoever had it between. What is given back meanwhile stays free.
    const namesOf = (some: readonly HeldLease[]) => ({
      by: { $in: some.map(one => one.by) },
      until: { $gt: GIVEN_BACK },
    })
    let matched = 0
    for (const isClaim of [false, true]) {
      const some = ours.filter(one => one.isClaim === isClaim)
      if (some.length === 0) continue
      // oxlint-disable-next-line no-await-in-loop -- two at most
      matched += (await this.#leases.updateMany(namesOf(some), { $set: this.#times(now, isClaim) })).matchedCount
    }
    const found = matched === ours.length ? undefined : await this.#leases.find(namesOf(ours)).toArray()
    const still = found && new Set(found.map(one => one.by))
    for (const lease of ours) {
      // What was given back meanwhile is not lost.
      if (lease.hasEnded) continue
      if (still?.has(lease.by) === false) this.#lose(lease, 'another process has taken it over')
      else lease.writesUntil(began + this.#leaseMs * (1 - MARGIN))
    }
  }

  /** Gives back all that it holds. */
  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.#renewing
    await Promise.all([...this.#held].map(lease => lease.release()))
  }

  #look(): void {
    for (const lease of this.#held) if (lease.isOver) this.#lose(lease, 'its lease could not be renewed')
    if (this.#renewing !== undefined || this.#clock() - this.#renewedAt < this.#leaseMs * SELECTION) return
    this.#renewedAt = this.#clock()
    // What fails is tried again at the next look: the time until which it may write goes on by nothing else, and is over when
    // another renewal would be due.
    this.#renewing = this.renew()
      .catch(() => void (this.#renewedAt = -Infinity))
      .finally(() => (this.#renewing = undefined))
  }

  #lose(lease: HeldLease, why: string): void {
    this.#held.delete(lease)
    lease.lose(why)
  }

  /** What can't be given back ends by itself. */
  async #release(lease: HeldLease): Promise<void> {
    if (this.#held.delete(lease)) await this.#giveBack(lease)
  }

  async #giveBack({ name, by, isClaim }: Pick<HeldLease, 'name' | 'by' | 'isClaim'>): Promise<void> {
    const ours = { _id: name, by }
    const given = isClaim ? this.#leases.deleteOne(ours) : this.#leases.updateOne(ours, { $set: { until: GIVEN_BACK } })
    await given.catch(() => undefined)
  }

  /** Of what is taken, or renewed, at an instant of the server. */
  #times(now: number, isClaim: boolean): Pick<KeptLease, 'until' | 'forgotten_at'> {
    const until = now + this.#leaseMs
    return { until: new Date(until), ...(isClaim && { forgotten_at: new Date(until + FORGET_MS) }) }
  }

  get #leases(): Collection<KeptLease> {
    return this.#connection.db.collection<KeptLease>('leases')
  }

  get #line(): Collection<KeptWait> {
    return this.#connection.db.collection<KeptWait>('lease_waits')
  }
}

interface Taken {
  readonly name: string
  readonly by: string
  readonly isClaim: boolean
  readonly fence: number
  readonly where: string
}

class HeldLease implements Lease {
  readonly name: string
  readonly by: string
  readonly isClaim: boolean
  readonly fence: number
  readonly #where: string
  readonly #clock: () => number
  readonly #giveBack: (lease: HeldLease) => Promise<void>
  readonly #losing = new AbortController()
  #until = -Infinity
  #ended: string | undefined

  constructor(
    { name, by, isClaim, fence, where }: Taken,
    clock: () => number,
    giveBack: (lease: HeldLease) => Promise<void>,
  ) {
    this.name = name
    this.by = by
    this.isClaim = isClaim
    this.fence = fence
    this.#where = where
    this.#clock = clock
    this.#giveBack = giveBack
  }

  get lost(): AbortSignal {
    return this.#losing.signal
  }

  /** It was given back, or lost. */
  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  /** Whether the time is over in which it may be written under. */
  get isOver(): boolean {
    return this.#clock() >= this.#until
  }

  readonly mayWrite = (): void => {
    if (this.#ended === undefined && this.isOver) this.lose('its lease could not be renewed')
    if (this.#ended === undefined) return
    throw new Problem('store_unavailable', `Nothing is written to the store at ${this.#where}: ${this.#ended}`)
  }

  /** @param until by the clock of this process */
  writesUntil(until: number): void {
    this.#until = until
  }

  lose(why: string): void {
    this.#ended ??= why
    this.#losing.abort()
  }

  async release(): Promise<void> {
    this.#ended ??= 'its lease was given back'
    await this.#giveBack(this)
  }
}
