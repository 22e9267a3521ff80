import type { ScopedCalls } from '../pipeline/index.js'
import type { TimeLeft } from './deadline.js'
import type { AlertRecord } from './records/alert.js'
import type { FeedbackRecord } from './records/feedback.js'
import type { Delivery, DeliveryState, WebhookRecord } from './records/webhook.js'
import type { Shelf } from './shelf.js'

/** An event on its way to one webhook. */
export interface NewDelivery {
  readonly delivery_id: string
  readonly project_id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly event: string
  /** What it is about; those about the same thing go out in order. */
  readonly subject: string
  /** The exact bytes to send. */
  readonly body: string
  readonly created_at: string
  /** Until when it is tried. */
  readonly expires_at: string
}

export interface PendingDelivery extends NewDelivery {
  /** Counts up in the order of events. */
  readonly seq: number
  readonly attempts: number
  /** Not before. */
  readonly next_at: string
}

/** What became of an attempt. Of the answer only status and duration are kept. */
export interface Attempt {
  readonly seq: number
  readonly state: DeliveryState
  readonly attempts: number
  readonly next_at: string
  readonly attempted_at: string
  readonly status?: number
  /** A fixed word where there was no answer, such as timeout. */
  readonly failure?: string
  readonly duration_ms: number
  /** Of the lease under which it was made; absent where there is none. A store of one process has its leases in it, and needs none. */
  readonly fence?: number
}

export interface DeliveryFilter {
  readonly state?: DeliveryState
  /** Only older ones than this number. */
  readonly before?: number
  readonly limit: number
}

/** What of a call that was written matters to webhooks and alerts. */
export interface NotedCall {
  readonly project_id: string
  readonly session_id: string
  readonly agent_id?: string
  readonly agent_name: string
  readonly created_dt: string
  readonly score?: number
  readonly predicted_csat?: number
  readonly lift?: number
  readonly lift_band?: string
  /** Keys of present signals, and of guidance. */
  readonly signals: readonly string[]
  readonly guidance: readonly string[]
  readonly evaluated: boolean
  readonly evaluated_at?: string
}

/** What follows from calls that were written. */
export interface Consequences {
  readonly deliveries: readonly NewDelivery[]
  /** Alerts that were triggered, as they are now. */
  readonly alerts: readonly AlertRecord[]
}

/** What webhooks are still to be told, and never were. */
export type OutboxCounts = Readonly<Record<Exclude<DeliveryState, 'delivered'>, number>>

/** The outbox and the history of deliveries. Everything is durable when it resolves. */
export interface DeliveryStore {
  add(deliveries: readonly NewDelivery[]): Promise<void>
  /** What a webhook is still to be told, behind a number, in order. */
  pending(webhookId: string, after: number, limit: number): Promise<readonly PendingDelivery[]>
  /**
   * Whether one is still to be told, by whoever has a webhook's lease of this fence; from then on what was tried under a lower one settles
   * nothing. It goes with the call it is about.
   */
  begin(seq: number, fence: number): Promise<boolean>
  /** Of those that are still to be told, and not by another by now: what is settled stays as it is. */
  settle(attempts: readonly Attempt[]): Promise<void>
  /** Deliveries of a webhook, newest first. */
  list(projectId: string, webhookId: string, filter: DeliveryFilter): Promise<readonly Delivery[]>
  /** Puts a settled delivery, or all dead letters of a webhook, to the end of the queue. Gives back how many. */
  requeue(which: Requeue): Promise<number>
  removeWebhook(projectId: string, webhookId: string): Promise<void>
  /** Webhooks that are still to be told something, whether or not they are there themselves. */
  waiting(): Promise<readonly Pick<NewDelivery, 'project_id' | 'webhook_id'>[]>
  /** How many wait and how many were given up; not those that were delivered, which may be the history of months. */
  counts(): Promise<OutboxCounts>
  /** Deletes settled ones that were last tried before an instant; gives back how many. */
  removeSettled(before: string): Promise<number>
}

export interface Requeue {
  readonly projectId: string
  readonly webhookId: string
  /** Absent: all dead letters. */
  readonly deliveryId?: string
  readonly now: string
  readonly expiresAt: string
}

/** Calls that were written and that webhooks or alerts may want to know of. */
export interface NotedCalls {
  /**
   * Hands over the oldest, each as it is now and however often it was noted, and writes what follows from them in the same
   * transaction. A project in which another process is writing for longer is passed over; listeners hear when it no longer is.
   * @param limit how many of the oldest notes say which calls
   * @returns how many notes were taken, all of these calls; 0 when there are none
   */
  take(limit: number, follow: (calls: readonly NotedCall[]) => Consequences): Promise<number>
  /** Hears when calls were noted, or may be taken again. @returns a function that stops it */
  onNoted(listener: () => void): () => void
}

export interface FeedbackStore {
  /**
   * Keeps feedback on a call, with what is to be told of it, durable when it resolves, in place of what the call has under
   * the same id; `false` when the call is not there.
   */
  add(feedback: FeedbackRecord, deliveries: readonly NewDelivery[]): Promise<boolean>
  /** Deletes feedback on a call, durable when it resolves; `false` when it is not there. */
  remove(projectId: string, sessionId: string, feedbackId: string): Promise<boolean>
  /** Feedback on a call, oldest first. */
  of(projectId: string, sessionId: string): Promise<readonly FeedbackRecord[]>
  /**
   * The newest verdicts on scores and signals of some calls, and what was answered to them, oldest first. Those on other calls take
   * nobody's place: how many there are of them makes no difference.
   */
  newestVerdicts(calls: ScopedCalls, most: number, left: TimeLeft): Promise<readonly FeedbackRecord[]>
  /** Feedback on all calls of a project, oldest first: so many after a place in it. */
  page(projectId: string, after: FeedbackPlace | undefined, limit: number): Promise<readonly FeedbackRecord[]>
  /**
   * Writes the texts of feedback anew, of what is still there.
   */
  reword(
    projectId: string,
    texts: readonly Pick<FeedbackRecord, 'session_id' | 'feedback_id' | 'text'>[],
  ): Promise<void>
  /**
   * Keeps feedback as it was given once, and tells nobody. What is there already stays as it is. Durable when it resolves.
   */
  restore(projectId: string, feedback: readonly KeptFeedback[]): Promise<FeedbackRestored>
}

/** Feedback as it is kept, in whichever project. */
export type KeptFeedback = Omit<FeedbackRecord, 'project_id'>

/** A place in the order of a project's feedback. */
export type FeedbackPlace = Pick<FeedbackRecord, 'created_at' | 'feedback_id'>

export interface FeedbackRestored {
  /** How many were not there before. */
  readonly added: number
  /** Ids of feedback on calls that are not there. */
  readonly without_call: readonly string[]
}

/** What deliveries about a call have as their subject, before its id: how erasing the call finds them. */
export const CALL_SUBJECT = 'call/'

/** Keeps webhooks, alerts, feedback and what is still to be told. */
export interface EventStore {
  readonly webhooks: Shelf<WebhookRecord>
  readonly alerts: Shelf<AlertRecord>
  readonly deliveries: DeliveryStore
  readonly noted: NotedCalls
  readonly feedback: FeedbackStore
}
