import type { PendingDelivery } from '../../store/event-store.js'

/** Deliveries of one webhook that are in memory: what is waiting to be tried, and behind it, in the store, the rest. */
const DELIVERIES_IN_MEMORY = 1_000
/** Attempts of one webhook that run at once. */
const ATTEMPTS_AT_ONCE = 8

/**
 * Keeps what became of an attempt. Resolves, when it is durable, to the delivery as it is to be tried again, or to
 * nothing when it is settled.
 */
export type Keep = () => Promise<PendingDelivery | undefined>

interface LaneParts {
  /** What is still to be told, behind a number, in order. */
  readonly load: (after: number, limit: number) => Promise<readonly PendingDelivery[]>
  /** Makes one attempt; resolves, when it has ended, to what keeps what became of it. */
  readonly attempt: (delivery: PendingDelivery, signal: AbortSignal) => Promise<Keep>
  /** Asks for room among all attempts; when there is none the lane is woken once there is. */
  readonly take: () => boolean
  readonly release: () => void
  readonly failed: (error: unknown) => void
  readonly clock: () => number
}

interface Waiting {
  delivery: PendingDelivery
}

/** Milliseconds until the store is asked again, or told, when it could not answer. */
const STORE_RETRY_MS = 5_000

/**
 * The queue of one webhook. Deliveries about the same thing go one after the other, a later one only when the earlier is
 * settled in the store; about different things several go at once, and one that waits for its next attempt keeps
 * nothing else back. A webhook that fails everything fills its own window and nobody else's.
 */
export class Lane {
  readonly #parts: LaneParts
  /** Attempts that run, and those whose end is being kept: these take no room, but their subject has to wait. */
  readonly #running = new Map<Waiting, AbortController>()
  readonly #keeping = new Set<Waiting>()
  #window: Waiting[] = []
  #after = 0
  #more = true
  #loading = false
  /** Subjects dropped while a page was on its way, which may still hold them. */
  readonly #forgotten = new Set<string>()
  #stopped = false
  #timer: NodeJS.Timeout | undefined
  #idle: (() => void)[] = []

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  /** There may be new deliveries, or room. */
  wake(more = true): void {
    if (more) this.#more = true
    void this.#fill()
    this.#start()
  }

  /**
   * Looks from the beginning, beside what waits here. What was added, or put back, by a process that stalled between taking numbers and
   * writing has numbers that were passed.
   */
  wakeAnew(): void {
    this.#after = 0
    this.wake()
  }

  /** Drops what is about these subjects, and breaks off the attempts that run. */
  forget(subjects: ReadonlySet<string>): void {
    if (this.#loading) for (const subject of subjects) this.#forgotten.add(subject)
    for (const [{ delivery }, controller] of this.#running) if (subjects.has(delivery.subject)) controller.abort()
    this.#window = this.#window.filter(({ delivery }) => !subjects.has(delivery.subject))
  }

  /** Starts nothing more. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Resolves when no attempt runs. */
  async idle(): Promise<void> {
    if (this.#isIdle()) return
    await new Promise<void>(resolve => this.#idle.push(resolve))
  }

  /** Breaks off what runs; it stays in the store as it was. */
  abort(): void {
    for (const controller of this.#running.values()) controller.abort()
  }

  async #fill(): Promise<void> {
    if (this.#loading || this.#stopped || !this.#more || this.#window.length > DELIVERIES_IN_MEMORY / 2) return
    this.#loading = true
    try {
      const limit = DELIVERIES_IN_MEMORY - this.#window.length
      const known = new Set(this.#window.map(({ delivery }) => delivery.seq))
      this.#more = false
      const found = await this.#parts.load(this.#after, limit)
      // What came meanwhile is found by the next look.
      if (found.length === limit) this.#more = true
      this.#after = found.at(-1)?.seq ?? this.#after
      const added = found.filter(({ seq, subject }) => !known.has(seq) && !this.#forgotten.has(subject))
      this.#window.push(...added.map(delivery => ({ delivery })))
    } catch (error) {
      this.#more = true
      this.#parts.failed(error)
      setTimeout(() => this.wake(), STORE_RETRY_MS).unref()
      return
    } finally {
      this.#loading = false
      this.#forgotten.clear()
    }
    this.#start()
    if (this.#more && this.#window.length <= DELIVERIES_IN_MEMORY / 2) void this.#fill()
  }

  #start(): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    const now = this.#parts.clock()
    const under = [...this.#running.keys(), ...this.#keeping]
    const taken = new Set(under.map(({ delivery }) => delivery.subject))
    let next = Infinity
    for (const waiting of this.#window) {
      if (this.#running.size >= ATTEMPTS_AT_ONCE) return
      const { subject } = waiting.delivery
      if (taken.has(subject)) continue
      taken.add(subject)
      const notBefore = Date.parse(waiting.delivery.next_at)
      if (notBefore > now) next = Math.min(next, notBefore)
      else if (this.#parts.take()) void this.#run(waiting)
      else return
    }
    if (next < Infinity) {
      // Timers take 2^31 ms at most; none of ours is that long.
      this.#timer = setTimeout(() => this.#start(), Math.max(1, next - now)).unref()
    }
  }

  async #run(waiting: Waiting): Promise<void> {
    const controller = new AbortController()
    this.#running.set(waiting, controller)
    let again: PendingDelivery | undefined
    try {
      const keep = await this.#parts.attempt(waiting.delivery, controller.signal)
      if (!controller.signal.aborted) {
        this.#keeping.add(waiting)
        this.#ended(waiting)
        again = await keep()
      }
    } catch (error) {
      this.#parts.failed(error)
      const next_at = new Date(this.#parts.clock() + STORE_RETRY_MS).toISOString()
      again = { ...waiting.delivery, next_at }
    }
    this.#keeping.delete(waiting)
    if (again === undefined) this.#window = this.#window.filter(one => one !== waiting)
    else waiting.delivery = again
    this.#ended(waiting)
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve()
    this.wake(false)
  }

  /** Gives the room of an attempt back, once. */
  #ended(waiting: Waiting): void {
    if (!this.#running.delete(waiting)) return
    this.#parts.release()
    this.#start()
  }

  #isIdle(): boolean {
    return this.#running.size === 0 && this.#keeping.size === 0
  }
}
