import { z } from 'zod'
import { within } from '../../base/within.js'
import { alert, type AlertRecord } from '../records/alert.js'
import { webhook, type WebhookRecord } from '../records/webhook.js'
import type { Consequences, EventStore, NotedCall, NotedCalls } from '../event-store.js'
import { callsOf, plain } from './call-document.js'
import type { FencedDocuments } from './fenced-documents.js'
import { type MongoDatabase, TakenOver } from './mongodb-database.js'
import { MongoDeliveries } from './mongodb-deliveries.js'
import { MongoFeedback } from './mongodb-feedback.js'
import { MongoShelf } from './mongodb-records.js'
import type { Unfinished, WriteLane } from './write-lane.js'

/** Webhooks, alerts, feedback and the outbox. */
export class MongoEvents implements EventStore {
  readonly webhooks: MongoShelf<WebhookRecord>
  readonly alerts: MongoShelf<AlertRecord>
  readonly deliveries: MongoDeliveries
  readonly noted: MongoNotedCalls
  readonly feedback: MongoFeedback

  constructor(database: MongoDatabase, lane: WriteLane, documents: FencedDocuments) {
    this.webhooks = new MongoShelf<WebhookRecord>(database, {
      collection: 'webhooks',
      schema: webhook.stored,
      idOf: record => record.webhook_id,
    })
    this.alerts = new MongoShelf<AlertRecord>(database, {
      collection: 'alerts',
      schema: alert.stored,
      idOf: record => record.alert_id,
    })
    this.deliveries = new MongoDeliveries(database, lane)
    this.feedback = new MongoFeedback({ database, lane, documents, deliveries: this.deliveries })
    this.noted = new MongoNotedCalls({ database, lane, deliveries: this.deliveries, alerts: this.alerts })
  }
}

/** What follows from calls that were written, in place of the notes of them. */
interface UnfinishedFollowing extends Unfinished {
  readonly kind: 'following'
  readonly committed: boolean
  readonly notes: readonly string[]
  /** Alerts that were triggered, as JSON. */
  readonly alerts: readonly string[]
  /** Of the turn for alerts in which they were looked at, where that was one. */
  readonly fence?: number
}

interface NotedParts {
  readonly database: MongoDatabase
  readonly lane: WriteLane
  readonly deliveries: MongoDeliveries
  readonly alerts: MongoShelf<AlertRecord>
}

const COLLECTION = 'noted_calls'

/**
 * How long the lane of a project is waited for by who takes notes, milliseconds: longer than a process that lives keeps it from others. One
 * that died has it for long, and what waits for this one, alerts and what is to be told of other projects, must not.
 */
const SOON_MS = 2_000

/** What of `facts` webhooks and alerts are told. */
const noted = z.object({
  project_id: z.string(),
  session_id: z.string(),
  agent_id: z.string().exactOptional(),
  agent_name: z.string(),
  created_dt: z.string(),
  score: z.number().exactOptional(),
  predicted_csat: z.number().exactOptional(),
  outcome_lift: z.object({ lift: z.number().exactOptional(), lift_band: z.string().exactOptional() }).exactOptional(),
  present_signals: z.array(z.string()).default([]),
  guidance_keys: z.array(z.string()).default([]),
  evaluation: z.object({ evaluated_at: z.string().exactOptional() }).exactOptional(),
})

function notedOf(facts: unknown): NotedCall {
  const { outcome_lift, present_signals, guidance_keys, evaluation, ...call } = noted.parse(facts)
  return {
    ...call,
    ...outcome_lift,
    signals: present_signals,
    guidance: guidance_keys,
    evaluated: evaluation !== undefined,
    ...evaluation,
  }
}

/** Calls that were noted as they were written (see `CallWriter`), oldest first. */
class MongoNotedCalls implements NotedCalls {
  readonly #parts: NotedParts
  /** Projects whose lane is waited for, beside those who take. */
  readonly #passedOver = new Set<string>()
  readonly #listeners = new Set<() => void>()

  constructor(parts: NotedParts) {
    this.#parts = parts
    parts.lane.finishes<UnfinishedFollowing>('following', unfinished =>
      unfinished.committed ? this.#finish(unfinished) : parts.deliveries.drop(unfinished._id),
    )
  }

  async take(limit: number, follow: (calls: readonly NotedCall[]) => Consequences): Promise<number> {
    const { database } = this.#parts
    // oxlint-disable no-await-in-loop -- until there are none, where another took those that were seen
    for (;;) {
      // What stands in for one that must not come has no project.
      const there = { project_id: { $exists: true, $nin: [...this.#passedOver] } }
      const oldest = await database.reading(COLLECTION).findOne(there, { sort: { _id: 1 } })
      if (oldest === null) return 0
      const taken = await this.#takeOf(String(oldest['project_id']), limit, follow)
      if (taken > 0) return taken
    }
    // oxlint-enable no-await-in-loop
  }

  /** Those of one project, in its lane; 0 where that is passed over. */
  #takeOf(projectId: string, limit: number, follow: (calls: readonly NotedCall[]) => Consequences): Promise<number> {
    const { database, deliveries, lane } = this.#parts
    return this.#soon(projectId, async () => {
      const noted = database.reading(COLLECTION)
      const oldest = await noted.find({ project_id: projectId }, { sort: { _id: 1 }, limit }).toArray()
      if (oldest.length === 0) return 0
      const ids = [...new Set(oldest.map(one => String(one['session_id'])))]
      // With all notes of these calls: a later one would have the same call told of again.
      const notes = await noted
        .find({ project_id: projectId, session_id: { $in: ids } }, { projection: { _id: 1 } })
        .toArray()
      const { deliveries: told, alerts } = follow(await this.#calls(projectId, ids))
      const { write } = await lane.number()
      const fence = database.fenceOf('alerts')
      const unfinished: UnfinishedFollowing = {
        _id: write,
        kind: 'following',
        project_id: projectId,
        committed: false,
        notes: notes.map(({ _id }) => _id),
        alerts: alerts.map(one => JSON.stringify(one)),
        ...(fence !== undefined && { fence }),
      }
      await lane.noting(unfinished, async () => {
        await deliveries.stage(write, told)
        await lane.change(unfinished, { committed: true })
        await this.#finish(unfinished)
      })
      return notes.length
    })
  }

  /** Work in the lane of a project. Where it is not its turn soon that project is passed over, and listeners hear when it is. */
  async #soon(projectId: string, work: () => Promise<number>): Promise<number> {
    let hasBegun = false
    let isLate = false
    let begin = (): void => undefined
    const begun = new Promise<void>(resolve => (begin = resolve))
    const working = this.#parts.lane.run(projectId, async () => {
      hasBegun = true
      begin()
      return isLate ? 0 : await work()
    })
    await within(SOON_MS, Promise.race([begun, working]), () => undefined)
    if (hasBegun) return await working
    isLate = true
    this.#passedOver.add(projectId)
    void working
      .finally(() => this.#passedOver.delete(projectId))
      .then(
        () => this.tell(),
        // Whoever takes next waits for it again.
        () => undefined,
      )
    return 0
  }

  onNoted(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells whoever waits for notes. */
  tell(): void {
    for (const listener of this.#listeners) listener()
  }

  async #finish({ _id, notes, alerts, fence }: UnfinishedFollowing): Promise<void> {
    const { database, deliveries } = this.#parts
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const one of alerts) await this.#trigger(alert.stored.parse(JSON.parse(one)), fence)
    await database.writing(COLLECTION).deleteMany({ _id: { $in: [...notes] } })
    await deliveries.release(_id)
  }

  /** Whoever finishes it does so as of the turn of then: an alert that was changed since stays as it is. */
  async #trigger(triggered: AlertRecord, fence: number | undefined): Promise<void> {
    const { alerts, database } = this.#parts
    if (fence === undefined) return await alerts.put(triggered)
    try {
      await database.under({ fence, mayWrite: () => undefined }, () => alerts.put(triggered), 'alerts')
    } catch (error) {
      if (!(error instanceof TakenOver)) throw error
    }
  }

  /** Each call once, as it is now: one that was erased since is passed over. */
  async #calls(projectId: string, ids: readonly string[]): Promise<readonly NotedCall[]> {
    const projection = Object.fromEntries(Object.keys(noted.shape).map(name => [name, 1]))
    const facts = this.#parts.database.reading('facts')
    const found = await facts.find(callsOf(projectId, ids), { projection }).toArray()
    const there = new Map(found.map(one => [String(one['session_id']), plain(one)]))
    return ids.flatMap(id => {
      const call = there.get(id)
      return call === undefined ? [] : [notedOf(call)]
    })
  }
}
