import type { Readable } from 'node:stream'
import { type Bucket, objectStream } from './bucket.js'
import { BucketFault } from './bucket-fault.js'
import type { BucketObject } from './listing.js'

/** Objects of up to this many bytes are fetched before it is their turn: each costs a way to the bucket and back. */
const SMALL_BYTES = 256 * 1024
/** Faults of the bucket itself, one after another, after which it is left alone. */
const MOST_FAULTS = 3

interface ReaderOptions {
  /** Objects that are fetched at a time. */
  readonly width: number
  readonly signal: AbortSignal
  /** Hears of each object that could not be read to its end. */
  readonly onUnread?: (object: BucketObject, fault: BucketFault) => void
  /** Hears that the bucket itself fails, so that going on is of no use. */
  readonly onEnd: (fault: BucketFault) => void
}

/** Reads objects in the order in which openers were made for them, the next small ones ahead. */
export class ObjectReader {
  /** Those that could not be read to their end: nothing is said about what they hold. */
  readonly unread = new Set<BucketObject>()
  readonly #bucket: Pick<Bucket, 'read'>
  readonly #options: ReaderOptions
  readonly #order: BucketObject[] = []
  readonly #ahead = new Map<BucketObject, Promise<readonly Buffer[]>>()
  #next = 0
  #faults = 0

  constructor(bucket: Pick<Bucket, 'read'>, options: ReaderOptions) {
    this.#bucket = bucket
    this.#options = options
  }

  /** What opens an object, as often as is needed. */
  opener(object: BucketObject): () => Readable {
    const place = this.#order.push(object) - 1
    return () => objectStream(async () => await this.#read(object, place))
  }

  async #read(object: BucketObject, place: number): Promise<AsyncIterable<Buffer>> {
    this.#fetchAhead(place)
    const ahead = this.#ahead.get(object)
    this.#ahead.delete(object)
    return this.#told(object, ahead)
  }

  async *#told(object: BucketObject, ahead: Promise<readonly Buffer[]> | undefined): AsyncGenerator<Buffer> {
    const { signal, onUnread, onEnd } = this.#options
    try {
      yield* ahead === undefined ? await this.#bucket.read(object, signal) : await ahead
      this.#faults = 0
    } catch (error) {
      if (error instanceof BucketFault) {
        this.unread.add(object)
        onUnread?.(object, error)
        if (error.about === 'bucket') this.#faults += 1
        if (this.#faults === MOST_FAULTS) onEnd(error)
      }
      throw error
    }
  }

  #fetchAhead(place: number): void {
    this.#next = Math.max(this.#next, place)
    for (; this.#next < Math.min(place + this.#options.width, this.#order.length); this.#next += 1) {
      const object = this.#order[this.#next]
      if (object === undefined || object.bytes > SMALL_BYTES) continue
      const fetched = this.#fetch(object)
      // Waited for in its turn; until then a failure must not count as unhandled.
      fetched.catch(() => {})
      this.#ahead.set(object, fetched)
    }
  }

  async #fetch(object: BucketObject): Promise<readonly Buffer[]> {
    const pieces: Buffer[] = []
    for await (const piece of await this.#bucket.read(object, this.#options.signal)) pieces.push(piece)
    return pieces
  }
}
