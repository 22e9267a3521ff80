import { Long } from 'bson'
import { InTurn } from '../../base/in-turn.js'
import { longOf } from './call-document.js'
import type { MongoDatabase } from './mongodb-database.js'

/**
 * A write of several steps that is under way. It is noted before the first of them and forgotten after the last, so that one that was
 * cut off is finished by whoever writes next.
 */
export interface Unfinished {
  /** The number of the write. */
  readonly _id: number
  /** What knows how it is finished. */
  readonly kind: string
}

/** Finishes a write; all of it may be done again. */
type Finish<T extends Unfinished> = (unfinished: T) => Promise<void>

/**
 * The one lane for writes that are not of one document. They come one after the other: what is read before a write is so while it is
 * made, and each sees those before it whole or not at all.
 */
export class WriteLane {
  readonly #database: MongoDatabase
  readonly #turns = new InTurn()
  readonly #finishers = new Map<string, (unfinished: Unfinished) => Promise<void>>()
  /** Writes may be unfinished: this process has not looked, or one of its own was cut off. */
  #unsure = true

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  /** Says how writes of a kind are finished. All that write here say so before the first write. */
  finishes<T extends Unfinished>(kind: T['kind'], finish: Finish<T>): void {
    this.#finishers.set(kind, unfinished => finish(unfinished as T))
  }

  /** Does work that nothing is written beside. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      if (this.#unsure) await this.#finishAll()
      return await work()
    })
  }

  /** Finishes what was cut off. */
  finish(): Promise<void> {
    return this.run(async () => undefined)
  }

  /** Whether a write of a project is under way, or was cut off. */
  async isWriting(projectId: string): Promise<boolean> {
    const found = await this.#database
      .reading('unfinished_writes')
      .findOne({ project_id: projectId }, { projection: { _id: 1 } })
    return found !== null
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

  /** Does the steps of a write, within `run`. */
  async noting(unfinished: Unfinished, steps: () => Promise<void>): Promise<void> {
    await this.#unfinished.insertOne(unfinished)
    this.#unsure = true
    await steps()
    await this.#unfinished.deleteOne({ _id: unfinished._id })
    this.#unsure = false
  }

  /** Notes that a write of several steps has come so far. */
  async change<T extends Unfinished>({ _id }: T, changed: Partial<T>): Promise<void> {
    await this.#unfinished.updateOne({ _id }, { $set: changed })
  }

  get #unfinished() {
    return this.#database.writing<Unfinished>('unfinished_writes')
  }

  async #finishAll(): Promise<void> {
    for (const unfinished of await this.#unfinished.find({}, { sort: { _id: 1 } }).toArray()) {
      const finish = this.#finishers.get(unfinished.kind)
      if (finish === undefined) throw new Error(`Nobody knows how to finish a write of the kind ${unfinished.kind}`)
      // oxlint-disable no-await-in-loop -- one write after the other
      await finish(unfinished)
      await this.#unfinished.deleteOne({ _id: unfinished._id })
      // oxlint-enable no-await-in-loop
    }
    this.#unsure = false
  }
}
