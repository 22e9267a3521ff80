import { createHash } from 'node:crypto'
import { Problem } from '../base/problem.js'
import { SecretBox } from '../base/secret-box.js'
import { echo } from '../base/text.js'
import type { Delivery } from '../store/records/webhook.js'
import type { DeliveryFilter, EventStore, NewDelivery, OutboxCounts } from '../store/event-store.js'
import type { FeedbackRecord } from '../store/records/feedback.js'
import { Alerts } from './alerts/alerts.js'
import { deliveriesOf, TRIED_MS } from './deliveries-of.js'
import type { NewEvent } from './event-kinds.js'
import type { EventPort } from './event-port.js'
import { callSubject } from './kinds/event-kind.js'
import { addressRules, type AddressRules } from './net/address-rules.js'
import { checkUrl } from './net/check-url.js'
import { Running, type RunningParts } from './running.js'
import { Webhooks } from './webhooks.js'
import type { Followed, Sharing } from '../store/shared-records.js'

export interface EventsParts {
  readonly store: EventStore
  readonly sharing?: Sharing
  /** Key of the signing secrets: 32 bytes in base64url. */
  readonly secret: string
  /** Addresses and networks besides the public ones that may be told of events. */
  readonly allowedRanges: readonly string[]
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number
}

/** What somebody says about a call. */
export interface NewFeedback extends Omit<FeedbackRecord, 'feedback_id' | 'created_at' | 'text'> {
  /** With which credential. */
  readonly given_with: { readonly source: string; readonly credential_id: string }
  readonly text?: string | undefined
  readonly agent_id?: string | undefined
}

/**
 * What happens in projects, and who is to be told. Whoever only opens it (a command) can raise events and change
 * webhooks; nothing is sent before `start`.
 */
export class Events implements EventPort {
  readonly webhooks: Webhooks
  readonly alerts: Alerts
  readonly #store: EventStore
  readonly #rules: AddressRules
  readonly #clock: () => number
  #running: Running | undefined

  private constructor(store: EventStore, rules: AddressRules, clock: () => number, webhooks: Webhooks, alerts: Alerts) {
    this.#store = store
    this.#rules = rules
    this.#clock = clock
    this.webhooks = webhooks
    this.alerts = alerts
  }

  /** Reads webhooks and alerts from the store. */
  static async load({ store, sharing, secret, allowedRanges, clock = Date.now }: EventsParts): Promise<Events> {
    const rules = addressRules(allowedRanges)
    const box = new SecretBox(secret)
    const webhooks = await Webhooks.load({ store, sharing, box, clock, checkUrl: url => checkUrl(url, rules) })
    return new Events(store, rules, clock, webhooks, await Alerts.load(store.alerts, clock, sharing))
  }

  async raise(event: NewEvent): Promise<void> {
    const deliveries = this.#deliveriesOf(event)
    await this.#store.deliveries.add(deliveries)
    this.#running?.added(deliveries)
  }

  /** Begins to tell webhooks and to watch for alerts. */
  start(parts: Omit<RunningParts, 'store' | 'webhooks' | 'alerts' | 'rules' | 'clock' | 'events'>): void {
    const { webhooks, alerts } = this
    const own = { store: this.#store, webhooks, alerts, rules: this.#rules, clock: this.#clock, events: this }
    this.#running = new Running({ ...parts, ...own })
  }

  /** What others do is taken up by, while it tells. */
  get followed(): readonly Followed[] {
    return [
      this.webhooks.followed,
      this.alerts.followed,
      ...(this.#running === undefined ? [] : [this.#running.followed]),
    ]
  }

  /** Sends nothing more; what is not settled is told after the next start. */
  async close(): Promise<void> {
    await this.#running?.close()
    this.#running = undefined
  }

  /** How many deliveries wait, and how many were given up, as of a moment ago; nothing before `start`. */
  outbox(): OutboxCounts {
    return this.#running?.outbox() ?? { pending: 0, dead: 0 }
  }

  /** Deliveries of a webhook, newest first. @throws Problem `not_found` (no such webhook) */
  async deliveries(projectId: string, webhookId: string, filter: DeliveryFilter): Promise<readonly Delivery[]> {
    this.webhooks.get(projectId, webhookId)
    return await this.#store.deliveries.list(projectId, webhookId, filter)
  }

  /**
   * Sends one settled delivery again, or all dead letters of a webhook; gives back how many.
   * @throws Problem `not_found` (no such webhook, or no settled delivery with this id)
   */
  async resend(projectId: string, webhookId: string, deliveryId?: string): Promise<number> {
    this.webhooks.get(projectId, webhookId)
    const now = this.#clock()
    const count = await this.#store.deliveries.requeue({
      projectId,
      webhookId,
      now: new Date(now).toISOString(),
      expiresAt: new Date(now + TRIED_MS).toISOString(),
      ...(deliveryId === undefined ? {} : { deliveryId }),
    })
    if (count === 0 && deliveryId !== undefined) {
      throw new Problem('not_found', `No delivery ${echo(deliveryId)} that was delivered or given up`)
    }
    this.#running?.wake(webhookId)
    return count
  }

  /**
   * Keeps feedback on a call, in place of what was given on the same of it with the same credential, and raises feedback.created, both
   * or neither. Undefined when the call is not there.
   */
  async addFeedback({ agent_id, text, given_with, ...feedback }: NewFeedback): Promise<FeedbackRecord | undefined> {
    const now = this.#clock()
    const record: FeedbackRecord = {
      feedback_id: feedbackId(feedback, given_with),
      created_at: new Date(now).toISOString(),
      ...feedback,
      ...(text === undefined ? {} : { text }),
    }
    const { feedback_id, session_id, project_id, about, rating, verdict, signal_key, turn } = record
    const data = { feedback_id, session_id, agent_id, about, rating, verdict, signal_key, turn }
    const deliveries = this.#deliveriesOf({ event: 'feedback.created', project_id, data })
    if (!(await this.#store.feedback.add(record, deliveries))) return undefined
    this.#running?.added(deliveries)
    return record
  }

  /** Feedback on a call, oldest first. */
  feedback(projectId: string, sessionId: string): Promise<readonly FeedbackRecord[]> {
    return this.#store.feedback.of(projectId, sessionId)
  }

  /** Takes back feedback on a call. @throws Problem `not_found` */
  async removeFeedback(projectId: string, sessionId: string, feedbackId: string): Promise<void> {
    if (await this.#store.feedback.remove(projectId, sessionId, feedbackId)) return
    throw new Problem('not_found', `Feedback not found: ${echo(feedbackId)}`)
  }

  /** Looks for the changes that alerts of a project wait for, now; nothing before `start`. What fails is logged. */
  async lookForChanges(projectId: string): Promise<void> {
    await this.#running?.look(projectId)
  }

  /** Tells nobody about these calls any more, as far as it is in memory. Part of erasing them: see `eraseCalls`. */
  hush(projectId: string, sessionIds: readonly string[]): void {
    this.#running?.hush(projectId, new Set(sessionIds.map(callSubject)))
  }

  #deliveriesOf(event: NewEvent): readonly NewDelivery[] {
    return deliveriesOf(event, this.webhooks.wanting(event.project_id, event.event), this.#clock())
  }
}

/**
 * The same for all that is given on the same of a call with one credential, so that the store holds the last of it alone. (What older
 * versions kept has ids at random and stays beside it.)
 */
function feedbackId(
  { project_id, session_id, about, signal_key, turn, answers }: Omit<NewFeedback, 'given_with' | 'text' | 'agent_id'>,
  { source, credential_id }: NewFeedback['given_with'],
): string {
  const of = about === 'call' ? [] : [about, signal_key ?? turn ?? answers ?? '']
  const whose = JSON.stringify([project_id, session_id, source, credential_id, ...of])
  return `fb_${createHash('sha256').update(whose).digest('hex').slice(0, 24)}`
}
