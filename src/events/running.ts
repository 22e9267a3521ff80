import type { Logger } from 'pino'
import type { EventStore, NewDelivery, OutboxCounts } from '../store/event-store.js'
import type { Leases } from '../store/leases.js'
import type { Followed } from '../store/shared-records.js'
import type { Alerts } from './alerts/alerts.js'
import { ChangeWatch, type FindChanges } from './alerts/change-watch.js'
import type { DeliveryMeter } from '../metrics/delivery-meter.js'
import { Dispatcher } from './delivery/dispatcher.js'
import type { EventPort } from './event-port.js'
import { FollowCalls } from './follow-calls.js'
import type { AddressRules } from './net/address-rules.js'
import type { ResolveName } from './net/resolve-name.js'
import type { Webhooks } from './webhooks.js'

export interface RunningParts {
  readonly store: EventStore
  readonly webhooks: Webhooks
  readonly alerts: Alerts
  readonly rules: AddressRules
  readonly events: EventPort
  readonly clock: () => number
  readonly leases: Leases
  /** Whether other processes tell of events of the same store. */
  readonly isShared: boolean
  readonly findChanges: FindChanges
  readonly meter: DeliveryMeter
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly userAgent: string
  /** The pause after a first failure, in milliseconds. */
  readonly firstRetryMs: number
  /** How long settled deliveries are kept, in milliseconds. */
  readonly retentionMs: number
  /** For tests. */
  readonly resolve?: ResolveName
  readonly lookEveryMs?: number
}

/** How often the outbox is counted while something happens, and deliveries that are old, or of webhooks that are gone, are looked for. */
const COUNT_MS = 2_000
const SWEEP_MS = 3_600_000

/** What runs while events are told: deliveries, what follows from written calls, the watch for changes. */
export class Running {
  readonly #parts: RunningParts
  readonly #dispatcher: Dispatcher
  readonly #follow: FollowCalls
  readonly #watch: ChangeWatch
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #stopListening: () => void
  #outbox: OutboxCounts = { pending: 0, dead: 0 }
  #counted = false
  #version: number | undefined

  constructor(parts: RunningParts) {
    this.#parts = parts
    const { store, webhooks, alerts, log, clock, meter } = parts
    const counting: DeliveryMeter = {
      attempted: (result, seconds) => {
        this.#counted = false
        meter.attempted(result, seconds)
      },
    }
    this.#dispatcher = new Dispatcher({ ...parts, store: store.deliveries, meter: counting })
    this.#watch = new ChangeWatch({ ...parts, find: parts.findChanges })
    const added = (deliveries: readonly NewDelivery[]): void => this.added(deliveries)
    this.#follow = new FollowCalls({ store, webhooks, alerts, added, log, clock })
    this.#stopListening = store.noted.onNoted(() => {
      this.#follow.poke()
      this.#watch.noted()
    })
    this.#timers = [
      setInterval(() => void this.#count(), COUNT_MS).unref(),
      setInterval(() => void this.#sweep(), SWEEP_MS).unref(),
    ]
    void this.#count()
    void this.#sweep()
    // What was noted while nothing ran.
    this.#follow.poke()
    this.#watch.noted()
  }

  /** What other processes add to the outbox is taken up by, and what one that died left of calls it wrote. */
  get followed(): Followed {
    return {
      kind: 'deliveries',
      follow: async versions => {
        const version = versions.get('deliveries')
        if (version === this.#version) return
        this.#version = version
        this.#counted = false
        this.#dispatcher.wakeAll()
      },
      reload: async () => {
        this.#counted = false
        this.#dispatcher.wakeAllAnew()
        this.#follow.poke()
      },
    }
  }

  /** Deliveries were added to the store. */
  added(deliveries: readonly NewDelivery[]): void {
    if (deliveries.length === 0) return
    this.#counted = false
    for (const webhookId of new Set(deliveries.map(({ webhook_id: id }) => id))) this.#dispatcher.wake(webhookId)
  }

  /** Deliveries of a webhook were put back. */
  wake(webhookId: string): void {
    this.#counted = false
    this.#dispatcher.wake(webhookId)
  }

  hush(projectId: string, subjects: ReadonlySet<string>): void {
    this.#counted = false
    this.#dispatcher.forget(projectId, subjects)
  }

  /** Looks for the changes that alerts of a project wait for. */
  look(projectId: string): Promise<void> {
    return this.#watch.lookIn(projectId)
  }

  outbox(): OutboxCounts {
    return this.#outbox
  }

  async close(): Promise<void> {
    this.#stopListening()
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all([this.#dispatcher.close(), this.#follow.close(), this.#watch.close()])
  }

  async #count(): Promise<void> {
    if (this.#counted) return
    this.#counted = true
    try {
      this.#outbox = await this.#parts.store.deliveries.counts()
    } catch (error) {
      this.#counted = false
      this.#parts.log.warn({ err: error }, 'The outbox could not be counted')
    }
  }

  async #sweep(): Promise<void> {
    const { clock, retentionMs, store, webhooks, log } = this.#parts
    try {
      await store.deliveries.removeSettled(new Date(clock() - retentionMs).toISOString())
      await webhooks.removeLeft()
    } catch (error) {
      log.warn({ err: error }, 'Old deliveries could not be deleted')
    }
  }
}
