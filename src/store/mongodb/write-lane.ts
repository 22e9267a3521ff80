import { Long } from 'bson'
import type { UpdateFilter } from 'mongodb'
import { NamedTurns } from '../../base/named-turns.js'
import type { Lease } from '../leases.js'
import { longOf } from './call-document.js'
import { type MongoDatabase, TakenOver } from './mongodb-database.js'
import type { MongoLeases } from './mongodb-leases.js'

/**
 * A write of several steps that is under way. It is noted before the first of them and forgotten after the last, so that one that was
 * cut off is finished by whoever writes in its project next.
 */
export interface Unfinished {
  /** The number of the write. */
  readonly _id: number
  /** What knows how it is finished. */
  readonly kind: string
  readonly project_id: string
}

/** Finishes a write; all of it may be done again. */
type Finish<T extends Unfinished> = (unfinished: T) => Promise<void>

/** How long a lane is kept when there is nothing to do in it, in milliseconds: taking it anew costs two round trips. */
const KEPT_MS = 100
/** How long a lane is kept while there is more to do, before it is asked whether others wait for it; milliseconds. */
const TURN_MS = 500
/** How often it is looked for writes that were cut off and that nobody finished, in milliseconds. */
const LOOK_EVERY_MS = 15_000
/** How long what a process sent before it was given up may still arrive, in milliseconds: what it was about is guarded for so long. */
export const LATE_MS = 3_600_000
/** Until when a document stands in for one that is gone, or must not come. */
export const vacantUntil = (): Date => new Date(Date.now() + LATE_MS)

const COLLECTION = 'write_lanes'

/** The lane of a project, with the write that is under way in it. */
interface KeptLane {
  readonly _id: string
  /** Rises with each process that takes it: of those before nothing is noted any more. */
  readonly fence: number
  readonly unfinished?: Unfinished
  /** When a write that was cut off was last finished. */
  readonly cut_at?: Date
}

/** A lane that this process has at the moment. */
interface OwnLane {
  readonly lease: Lease
  readonly fence: number
  /** Milliseconds since 1970. */
  cutAt: number
  /** Another has taken it, whatever the lease says. */
  isLost: boolean
  /** When it was taken, or last asked whether others wait for it. */
  since: number
  /** Writes may be unfinished: one of its own was cut off. */
  isUnsure: boolean
  /** It was tried once more to finish them. */
  isTried: boolean
  giving: NodeJS.Timeout | undefined
}

function holds({ lease, isLost }: OwnLane): boolean {
  try {
    lease.mayWrite()
    return !isLost
  } catch {
    return false
  }
}

/**
 * The lanes for writes that are not of one document, one for each project. In each they come one after the other, whichever process
 * makes them: what is read before a write is so while it is made, and each sees those before it whole or not at all. A lane is a lease,
 * and a document whose fence whoever takes it raises: a write is noted in it by the holder of its fence alone. So whoever takes it knows what
 * was cut off, and finishes that; a process that stalled without knowing notes nothing more.
 */
export class WriteLane {
  readonly #database: MongoDatabase
  readonly #leases: MongoLeases
  readonly #turns = new NamedTurns()
  readonly #own = new Map<string, OwnLane>()
  readonly #finishers = new Map<string, (unfinished: Unfinished) => Promise<void>>()
  #looking: NodeJS.Timeout | undefined
  #finishing: Promise<void> = Promise.resolve()

  constructor(database: MongoDatabase, leases: MongoLeases) {
    this.#database = database
    this.#leases = leases
  }

  /** Says how writes of a kind are finished. All that write here say so before the first write. */
  finishes<T extends Unfinished>(kind: T['kind'], finish: Finish<T>): void {
    this.#finishers.set(kind, unfinished => finish(unfinished as T))
  }

  /** Does work that nothing is written beside in its project. */
  run<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(projectId, async () => {
      const lane = await this.#laneOf(projectId)
      try {
        return await this.#database.under(lane.lease, async () => {
          if (lane.isUnsure) await this.#finish(projectId, lane)
          return await work()
        })
      } finally {
        this.#leaveSoon(projectId, lane)
      }
    })
  }

  /** Finishes what was cut off, but for what processes that live are at; from now on again and again. */
  async start(): Promise<void> {
    await this.#finishLeft()
    this.#looking = setInterval(() => {
      this.#finishing = this.#finishing.then(() => this.#finishLeft()).catch(() => undefined)
    }, LOOK_EVERY_MS).unref()
  }

  /** Finishes no more of what others left. */
  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.#finishing
  }

  /** Whether any write of a project is under way, or was cut off. */
  async isWriting(projectId: string): Promise<boolean> {
    const writing = { _id: projectId, unfinished: { $exists: true } }
    return (await this.#reading.findOne(writing, { projection: { _id: 1 } })) !== null
  }

  /** Whether a write of a project is under way, or was cut off and is to be finished. */
  async isUnderWay(projectId: string, write: number): Promise<boolean> {
    const writing = { _id: projectId, 'unfinished._id': write }
    return (await this.#reading.findOne(writing, { projection: { _id: 1 } })) !== null
  }

  /** Whether what a process sent that was cut off may still arrive, within `run`: what goes must leave something in its place. */
  isGuarded(projectId: string): boolean {
    return Date.now() - (this.#own.get(projectId)?.cutAt ?? -Infinity) < LATE_MS
  }

  /** The number of a write, and the first of so many places of calls. */
  async number(places = 0): Promise<{ readonly write: number; readonly place: bigint }> {
    const counted = await this.#database
      .writing('counters')
      .findOneAndUpdate(
        { _id: 'writes' },
        { $inc: { writes: 1, places: Long.fromNumber(places) } },
        { upsert: true, returnDocument: 'after', promoteLongs: false },
      )
    return {
      write: Number(counted?.['writes'] ?? 1) - 1,
      place: longOf(counted?.['places'] ?? places) - BigInt(places),
    }
  }

  /** Does the steps of a write, within `run`. @throws Problem `store_unavailable` where another has taken the lane */
  async noting(unfinished: Unfinished, steps: () => Promise<void>): Promise<void> {
    const lane = this.#own.get(unfinished.project_id)
    if (lane === undefined) throw new Error('A write of several steps is made outside its lane')
    if (lane.isUnsure) await this.#finish(unfinished.project_id, lane)
    await this.#change(unfinished.project_id, lane, { $set: { unfinished } })
    lane.isUnsure = true
    try {
      await steps()
    } catch (error) {
      lane.isLost ||= error instanceof TakenOver
      throw error
    }
    await this.#change(unfinished.project_id, lane, { $unset: { unfinished: '' } })
    lane.isUnsure = false
  }

  /** Notes that a write of several steps has come so far, within its steps. */
  async change<T extends Unfinished>(unfinished: T, changed: Partial<T>): Promise<void> {
    const lane = this.#own.get(unfinished.project_id)
    if (lane === undefined) throw new Error('A write of several steps is made outside its lane')
    await this.#change(unfinished.project_id, lane, { $set: { unfinished: { ...unfinished, ...changed } } })
  }

  async #change(_id: string, lane: OwnLane, change: UpdateFilter<KeptLane>): Promise<void> {
    const { matchedCount } = await this.#writing.updateOne({ _id, fence: lane.fence }, change)
    if (matchedCount > 0) return
    lane.isLost = true
    throw new TakenOver()
  }

  get #reading() {
    return this.#database.reading<KeptLane>(COLLECTION)
  }

  get #writing() {
    return this.#database.writing<KeptLane>(COLLECTION)
  }

  /** The lane of a project, as soon as it is this process's turn. */
  async #laneOf(projectId: string): Promise<OwnLane> {
    const name = `lane:${projectId}`
    const own = this.#own.get(projectId)
    clearTimeout(own?.giving)
    const isOurs = own !== undefined && holds(own)
    if (isOurs && performance.now() - own.since < TURN_MS) return own
    let isWanted = false
    if (isOurs) {
      try {
        isWanted = await this.#leases.isWanted(name)
      } catch (error) {
        // Who could not ask gives it back all the same.
        this.#leaveSoon(projectId, own)
        throw error
      }
      if (!isWanted) {
        own.since = performance.now()
        return own
      }
    }
    if (own !== undefined) await this.#give(projectId, own)
    const lane = await this.#entered(projectId, await this.#leases.wait(name, { behind: isWanted }))
    this.#own.set(projectId, lane)
    return lane
  }

  /** Raises the fence of a lane that was taken. A lane that nobody knows of would be renewed for good: where that fails it is given back. */
  async #entered(projectId: string, lease: Lease): Promise<OwnLane> {
    try {
      const kept = await this.#database.under(lease, () =>
        this.#writing.findOneAndUpdate(
          { _id: projectId },
          { $inc: { fence: 1 } },
          { upsert: true, returnDocument: 'after' },
        ),
      )
      return {
        lease,
        fence: Number(kept?.fence),
        cutAt: kept?.cut_at?.getTime() ?? -Infinity,
        since: performance.now(),
        isLost: false,
        isUnsure: kept?.unfinished !== undefined,
        isTried: false,
        giving: undefined,
      }
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  #leaveSoon(projectId: string, lane: OwnLane): void {
    lane.giving = setTimeout(() => void this.#leave(projectId, lane), KEPT_MS).unref()
  }

  /** Nothing more is to do: it is given to others, and what was cut off is tried once more before. */
  async #leave(projectId: string, lane: OwnLane): Promise<void> {
    if (lane.isUnsure && !lane.isTried && holds(lane)) {
      lane.isTried = true
      await this.run(projectId, async () => undefined).catch(() => undefined)
    } else await this.#give(projectId, lane)
  }

  async #give(projectId: string, lane: OwnLane): Promise<void> {
    if (this.#own.get(projectId) === lane) this.#own.delete(projectId)
    await lane.lease.release()
  }

  async #finishLeft(): Promise<void> {
    const left = await this.#reading.find({ unfinished: { $exists: true } }, { projection: { _id: 1 } }).toArray()
    if (left.length === 0) return
    const busy = await this.#leases.held('lane:')
    for (const { _id: projectId } of left) {
      if (busy.has(`lane:${projectId}`)) continue
      // oxlint-disable-next-line no-await-in-loop -- one project after the other
      await this.run(projectId, async () => undefined)
    }
  }

  async #finish(projectId: string, lane: OwnLane): Promise<void> {
    const cutAt = new Date()
    const kept = await this.#reading.findOne({ _id: projectId, fence: lane.fence })
    const unfinished = kept?.unfinished
    if (unfinished !== undefined) {
      const finish = this.#finishers.get(unfinished.kind)
      if (finish === undefined) throw new Error(`Nobody knows how to finish a write of the kind ${unfinished.kind}`)
      await finish(unfinished)
    }
    await this.#change(projectId, lane, { $unset: { unfinished: '' }, ...(unfinished && { $set: { cut_at: cutAt } }) })
    if (unfinished !== undefined) lane.cutAt = cutAt.getTime()
    lane.isUnsure = false
  }
}
