import type { Logger } from 'pino'
import { Webhook } from 'standardwebhooks'
import { FairSlots } from '../../admission/fair-slots.js'
import type { Requester } from '../../admission/requester.js'
import type { DeliveryStore, PendingDelivery } from '../../store/event-store.js'
import type { Lease, Leases } from '../../store/leases.js'
import type { WebhookRecord } from '../../store/records/webhook.js'
import type { AddressRules } from '../net/address-rules.js'
import { type Answer, post } from '../net/post.js'
import type { ResolveName } from '../net/resolve-name.js'
import { MOST_WEBHOOKS, type Webhooks } from '../webhooks.js'
import type { DeliveryMeter } from '../../metrics/delivery-meter.js'
import { type Keep, Lane } from './lane.js'
import { Settler } from './settler.js'

/** The longest pause between two attempts, in milliseconds. */
const LONGEST_MS = 4 * 3_600_000

/**
 * When a delivery that failed is tried again: pauses double, from the first up to four hours, each off by a fifth at
 * most, so that what failed together does not come back together.
 *
 * @param attempts how often it was tried, 1 at least
 * @param firstMs the first pause
 * @param chance 0 to 1, random
 * @returns milliseconds to wait
 */
export function retryAfter(attempts: number, firstMs: number, chance: number): number {
  const pause = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(attempts - 1, 40))
  return Math.round(pause * (0.8 + 0.4 * chance))
}

/** Attempts that run at once: of all webhooks together, and of one. */
const ATTEMPTS_AT_ONCE = 64
const ATTEMPTS_OF_WEBHOOK = 8
/** Of one project: as many as two of its webhooks may have, and one for every webhook that has none. */
const ATTEMPTS_OF_PROJECT = 2 * ATTEMPTS_OF_WEBHOOK + MOST_WEBHOOKS
/** Of all, how many are for projects that have none. */
const ATTEMPTS_KEPT = 16
/** Between two looks for webhooks that another process told, and tells no more; milliseconds. */
const LOOK_EVERY_MS = 5_000
/** Milliseconds that running attempts get to end when the service stops; then they are broken off and made anew later. */
const GRACE_MS = 5_000

const leaseOf = (webhookId: string): string => `webhook:${webhookId}`

export interface DispatcherParts {
  readonly store: DeliveryStore
  /** That a webhook is told by one process at a time. */
  readonly leases: Leases
  /** Whether other processes tell webhooks of the same store. */
  readonly isShared: boolean
  readonly webhooks: Webhooks
  readonly rules: AddressRules
  readonly meter: DeliveryMeter
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly userAgent: string
  /** The pause after a first failure, in milliseconds. */
  readonly firstRetryMs: number
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** For tests. */
  readonly resolve?: ResolveName
  readonly lookEveryMs?: number
}

/** What this process tells a webhook, under its lease. */
interface LeasedLane {
  readonly lane: Lane
  readonly lease: Lease
}

/**
 * Tells webhooks what the outbox holds: a lane for each, so that none waits for another. A webhook's lane is of one process at a
 * time, so that deliveries about the same thing go one after the other whoever sends them.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #settler: Settler
  readonly #lanes = new Map<string, LeasedLane>()
  /** Leases that are on their way to being taken, or given back. */
  readonly #changing = new Map<string, Promise<void>>()
  readonly #stopListening: () => void
  readonly #looking: NodeJS.Timeout | undefined
  /** Places for attempts. A receiver that is silent has its own for as long as it is, and nobody else's. */
  readonly #places = new FairSlots({
    what: 'deliveries',
    places: ATTEMPTS_AT_ONCE,
    kept: ATTEMPTS_KEPT,
    placesOfProject: ATTEMPTS_OF_PROJECT,
    placesOfKey: ATTEMPTS_OF_WEBHOOK,
    keptOfProject: MOST_WEBHOOKS,
    // One of a webhook waits; the others wait in its lane.
    waitingOfKey: Infinity,
    waitingOfProject: Infinity,
  })
  #stopped = false

  constructor(parts: DispatcherParts) {
    this.#parts = parts
    this.#settler = new Settler(parts.store)
    this.#stopListening = parts.webhooks.onChange(webhookId => this.#changed(webhookId))
    this.#lookForAll()
    if (parts.isShared)
      this.#looking = setInterval(() => this.#lookForAll(), parts.lookEveryMs ?? LOOK_EVERY_MS).unref()
  }

  /** There is something new for a webhook. */
  wake(webhookId: string): void {
    this.#lanes.get(webhookId)?.lane.wake()
  }

  /** There may be something new for any webhook. */
  wakeAll(): void {
    for (const { lane } of this.#lanes.values()) lane.wake()
  }

  /** The same, and what is there may be out of order. */
  wakeAllAnew(): void {
    for (const { lane } of this.#lanes.values()) lane.wakeAnew()
  }

  /** Sends nothing more about these subjects of a project; what is in the store is the caller's to delete. */
  forget(projectId: string, subjects: ReadonlySet<string>): void {
    for (const [webhookId, { lane }] of this.#lanes) {
      if (this.#parts.webhooks.findActive(webhookId)?.project_id === projectId) lane.forget(subjects)
    }
  }

  /** Starts nothing more, and lets what runs end. What is not settled by then is told when the service is back. */
  async close(): Promise<void> {
    this.#stopped = true
    this.#stopListening()
    clearInterval(this.#looking)
    await Promise.all(this.#changing.values())
    const lanes = [...this.#lanes.values()]
    for (const { lane } of lanes) lane.stop()
    const timer = setTimeout(() => {
      for (const { lane } of lanes) lane.abort()
    }, GRACE_MS)
    await Promise.all([...this.#lanes.keys()].map(id => this.#giveUp(id)))
    clearTimeout(timer)
  }

  #changed(webhookId: string): void {
    const active = this.#parts.webhooks.findActive(webhookId)
    if (active === undefined) void this.#giveUp(webhookId)
    else if (this.#lanes.has(webhookId)) this.wake(webhookId)
    else this.#open(active)
  }

  #lookForAll(): void {
    for (const webhook of this.#parts.webhooks.active()) this.#open(webhook)
  }

  /** Takes a webhook over, unless another process has it. */
  #open({ webhook_id: webhookId, project_id: project }: WebhookRecord): void {
    if (this.#stopped || this.#lanes.has(webhookId) || this.#changing.has(webhookId)) return
    this.#change(webhookId, async () => {
      const lease = await this.#parts.leases.take(leaseOf(webhookId))
      if (lease === undefined) return
      const lane = this.#laneOf({ project, key: webhookId }, lease)
      this.#lanes.set(webhookId, { lane, lease })
      // Paused or removed while it was taken.
      if (this.#parts.webhooks.findActive(webhookId) === undefined) await this.#end(webhookId, { lane, lease })
      else lane.wake()
    })
  }

  /** Starts nothing more for a webhook, and gives it back once nothing runs. */
  async #giveUp(webhookId: string): Promise<void> {
    await this.#changing.get(webhookId)
    const leased = this.#lanes.get(webhookId)
    if (leased === undefined) return
    this.#change(webhookId, () => this.#end(webhookId, leased))
    await this.#changing.get(webhookId)
    // It may be wanted again by now.
    const active = this.#parts.webhooks.findActive(webhookId)
    if (active !== undefined) this.#open(active)
  }

  async #end(webhookId: string, { lane, lease }: LeasedLane): Promise<void> {
    lane.stop()
    this.#lanes.delete(webhookId)
    await lane.idle()
    await lease.release()
  }

  #change(webhookId: string, change: () => Promise<void>): void {
    const changing = change()
      .catch((error: unknown) => this.#failed(webhookId, error))
      .finally(() => {
        this.#changing.delete(webhookId)
        // It may have become another meanwhile.
        if (!this.#stopped && this.#parts.webhooks.findActive(webhookId) === undefined) void this.#giveUp(webhookId)
      })
    this.#changing.set(webhookId, changing)
  }

  #failed(webhookId: string, error: unknown): void {
    this.#parts.log.error({ err: error, webhook_id: webhookId }, 'Deliveries could not be read or kept')
  }

  #laneOf(requester: Requester, lease: Lease): Lane {
    const webhookId = requester.key
    const { store, clock } = this.#parts
    const lane = new Lane({
      load: (after, limit) => store.pending(webhookId, after, limit),
      attempt: (delivery, signal) => this.#attempt(delivery, signal, lease),
      take: signal => this.#places.take(requester, { signal }),
      failed: error => this.#failed(webhookId, error),
      clock,
    })
    // What was sent and is not settled by then is sent once more, by whoever has the webhook next.
    lease.lost.addEventListener(
      'abort',
      () => {
        lane.abort()
        void this.#giveUp(webhookId)
      },
      { once: true },
    )
    return lane
  }

  async #attempt(delivery: PendingDelivery, signal: AbortSignal, lease: Lease): Promise<Keep> {
    const { webhooks, clock, store, isShared } = this.#parts
    const webhook = webhooks.findActive(delivery.webhook_id)
    // Paused or removed meanwhile: it stays as it is.
    if (webhook === undefined) return async () => undefined
    lease.mayWrite()
    // Another process may have erased the call that it is about, or have taken the webhook over.
    if (isShared && !(await store.begin(delivery.seq, lease.fence))) return async () => undefined
    const began = clock()
    const answer = await this.#send(webhook, delivery, signal)
    return () => {
      lease.mayWrite()
      return this.#keep(delivery, answer, { began, fence: lease.fence })
    }
  }

  async #send({ url, ...webhook }: WebhookRecord, { event_id, body }: PendingDelivery, signal: AbortSignal) {
    const { webhooks, rules, userAgent, clock, resolve } = this.#parts
    const secrets = webhooks.secretsOf({ url, ...webhook })
    // The key in the data directory is another than the one they were sealed with. Unsigned nothing is sent.
    if (secrets.length === 0) return { failure: 'secret_unreadable', durationMs: 0 } as const
    const headers = { ...signedHeaders(event_id, body, secrets, clock()), 'user-agent': userAgent }
    return await post(url, { headers, body }, { rules, signal, ...(resolve === undefined ? {} : { resolve }) })
  }

  async #keep(
    delivery: PendingDelivery,
    answer: Answer,
    { began, fence }: { readonly began: number; readonly fence: number },
  ): Promise<PendingDelivery | undefined> {
    const { clock, firstRetryMs, meter, log } = this.#parts
    const attempts = delivery.attempts + 1
    const delivered = 'status' in answer && answer.status >= 200 && answer.status < 300
    const next = clock() + retryAfter(attempts, firstRetryMs, Math.random())
    const retried = !delivered && next <= Date.parse(delivery.expires_at)
    const next_at = retried ? new Date(next).toISOString() : delivery.next_at
    await this.#settler.settle({
      seq: delivery.seq,
      fence,
      state: delivered ? 'delivered' : retried ? 'pending' : 'dead',
      attempts,
      next_at,
      attempted_at: new Date(began).toISOString(),
      ...('status' in answer ? { status: answer.status } : { failure: answer.failure }),
      duration_ms: answer.durationMs,
    })
    meter.attempted(delivered ? 'delivered' : retried ? 'retried' : 'dead', answer.durationMs / 1000)
    if (delivered || retried) return retried ? { ...delivery, attempts, next_at } : undefined
    const { delivery_id, webhook_id, event } = delivery
    log.warn({ delivery_id, webhook_id, event, attempts }, 'A delivery was given up; it is kept as a dead letter')
    return undefined
  }
}

/**
 * The headers of a delivery by the Standard Webhooks scheme: one signature for every secret, so that a receiver verifies
 * with the old one or the new one while they are exchanged.
 *
 * @param now milliseconds since 1970: the time of this attempt
 */
export function signedHeaders(
  eventId: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Readonly<Record<string, string>> {
  // Its seconds are what is signed.
  const at = new Date(now)
  return {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map(secret => new Webhook(secret).sign(eventId, at, body)).join(' '),
  }
}
