import type { PendingDelivery } from '../../store/event-store.js'

/** Deliveries of one webhook that are in memory: what is waiting to be tried, and behind it, in the store, the rest. */
const DELIVERIES_IN_MEMORY = 1_000

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
  /** Waits for room among all attempts. @returns gives it back @throws Problem once the signal ends it */
  readonly take: (signal: AbortSignal) => Promise<() => void>
  readonly failed: (error: unknown) => void
  readonly clock: () => number
}

interface Waiting {
  delivery: PendingDelivery
}

interface Attempt {
  readonly controller: AbortController
  /** Gives its room back. */
  readonly release: () => void
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
  readonly #running = new Map<Waiting, Attempt>()
  readonly #keeping = new Set<Waiting>()
  #window: Waiting[] = []
  #after = 0
  #more = true
  #loading = false
  /** Subjects dropped while a page was on its way, which may still hold them. */
  readonly #forgotten = new Set<string>()
  /** Whether it waits for room for its next attempt: for one at a time, and what that will be is chosen when there is. */
  #asking = false
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #idle: (() => void)[] = []

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  /** There may be new deliveries. */
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
    for (const [{ delivery }, { controller }] of this.#running) if (subjects.has(delivery.subject)) controller.abort()
    this.#window = this.#window.filter(({ delivery }) => !subjects.has(delivery.subject))
  }

  /** Starts nothing more. */
  stop(): void {
    this.#stop.abort()
    clearTimeout(this.#timer)
  }

  /** Resolves when no attempt runs. */
  async idle(): Promise<void> {
    if (this.#isIdle()) return
    await new Promise<void>(resolve => this.#idle.push(resolve))
  }

  /** Breaks off what runs; it stays in the store as it was. */
  abort(): void {
    for (const { controller } of this.#running.values()) controller.abort()
  }

  async #fill(): Promise<void> {
    if (this.#loading || this.#stop.signal.aborted || !this.#more || this.#window.length > DELIVERIES_IN_MEMORY / 2)
      return
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

  /** Begins what is due as there is room for it, or waits until something is. */
  #start(): void {
    clearTimeout(this.#timer)
    if (this.#asking || this.#stop.signal.aborted) return
    const now = this.#parts.clock()
    const next = this.#next()
    const notBefore = next === undefined ? Infinity : Date.parse(next.delivery.next_at)
    if (notBefore <= now) void this.#ask()
    else if (notBefore < Infinity) {
      // Timers take 2^31 ms at most; none of ours is that long.
      this.#timer = setTimeout(() => this.#start(), Math.max(1, notBefore - now)).unref()
    }
  }

  /** What is to be tried next: the first that is due, else what will be the soonest. One a subject, and none whose subject is under way. */
  #next(): Waiting | undefined {
    const now = this.#parts.clock()
    const under = [...this.#running.keys(), ...this.#keeping]
    const taken = new Set(under.map(({ delivery }) => delivery.subject))
    let soonest: { readonly waiting: Waiting; readonly at: number } | undefined
    for (const waiting of this.#window) {
      const { subject, next_at } = waiting.delivery
      if (taken.has(subject)) continue
      taken.add(subject)
      const at = Date.parse(next_at)
      if (at <= now) return waiting
      if (soonest === undefined || at < soonest.at) soonest = { waiting, at }
    }
    return soonest?.waiting
  }

  /** Waits for room and makes an attempt. What was due may have been forgotten meanwhile. */
  async #ask(): Promise<void> {
    this.#asking = true
    try {
      const release = await this.#parts.take(this.#stop.signal)
      const next = this.#stop.signal.aborted ? undefined : this.#next()
      if (next !== undefined && Date.parse(next.delivery.next_at) <= this.#parts.clock()) void this.#run(next, release)
      else release()
    } catch {
      // It was stopped.
      return
    } finally {
      this.#asking = false
    }
    this.#start()
  }

  async #run(waiting: Waiting, release: () => void): Promise<void> {
    const controller = new AbortController()
    this.#running.set(waiting, { controller, release })
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
    const attempt = this.#running.get(waiting)
    if (attempt === undefined) return
    this.#running.delete(waiting)
    attempt.release()
    this.#start()
  }

  #isIdle(): boolean {
    return this.#running.size === 0 && this.#keeping.size === 0
  }
}
