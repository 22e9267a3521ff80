import { z } from 'zod'
import type {
  Attempt,
  DeliveryFilter,
  DeliveryStore,
  NewDelivery,
  OutboxCounts,
  PendingDelivery,
  Requeue,
} from '../event-store.js'
import type { Delivery, DeliveryState } from '../records/webhook.js'
import { inProject } from './mongodb-records.js'
import { type MongoDatabase, TakenOver, upTo } from './mongodb-database.js'
import type { Unfinished, WriteLane } from './write-lane.js'

const COLLECTION = 'event_deliveries'

/** Dead letters that are put to the end of the queue together. */
const REQUEUED_TOGETHER = 1_000

/** Deliveries that are being added with what belongs to them; nothing of it counts before it is committed. */
export interface UnfinishedDeliveries extends Unfinished {
  readonly kind: 'deliveries'
  readonly committed: boolean
}

const kept = z.object({
  seq: z.number(),
  delivery_id: z.string(),
  project_id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event: z.string(),
  subject: z.string(),
  attempts: z.number(),
  created_at: z.string(),
  expires_at: z.string(),
  next_at: z.string(),
})
const keptPending = kept.extend({ body: z.string(), state: z.enum(['pending', 'staged']), write: z.number() })
const keptHistory = kept.omit({ subject: true }).extend({
  state: z.enum(['pending', 'delivered', 'dead']),
  attempted_at: z.string().exactOptional(),
  status: z.number().exactOptional(),
  failure: z.string().exactOptional(),
  duration_ms: z.number().exactOptional(),
})

const SETTLED: readonly DeliveryState[] = ['delivered', 'dead']
const SHOWN: readonly DeliveryState[] = ['pending', ...SETTLED]

/**
 * The outbox and its history. Numbers are given in the lane of the webhook's project, where nothing comes between giving and writing them: whoever
 * reads behind a number is never passed by a new one.
 */
export class MongoDeliveries implements DeliveryStore {
  readonly #database: MongoDatabase
  readonly #lane: WriteLane

  constructor(database: MongoDatabase, lane: WriteLane) {
    this.#database = database
    this.#lane = lane
    lane.finishes<UnfinishedDeliveries>('deliveries', ({ _id, committed }) =>
      committed ? this.release(_id) : this.drop(_id),
    )
  }

  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    for (const projectId of new Set(deliveries.map(one => one.project_id))) {
      const ofProject = deliveries.filter(one => one.project_id === projectId)
      // oxlint-disable-next-line no-await-in-loop -- mostly of one project
      await this.#lane.run(projectId, () => this.#add(projectId, ofProject))
    }
  }

  /** All or none are there. */
  async #add(projectId: string, deliveries: readonly NewDelivery[]): Promise<void> {
    const { write } = await this.#lane.number()
    if (deliveries.length < 2) {
      await this.stage(write, deliveries, 'pending')
      return await this.#added()
    }
    const unfinished: UnfinishedDeliveries = { _id: write, kind: 'deliveries', project_id: projectId, committed: false }
    await this.#lane.noting(unfinished, async () => {
      await this.stage(write, deliveries)
      await this.#lane.change(unfinished, { committed: true })
      await this.release(write)
    })
  }

  /** Writes deliveries of a write, which count when they are released. */
  async stage(
    write: number,
    deliveries: readonly NewDelivery[],
    state: 'staged' | 'pending' = 'staged',
  ): Promise<void> {
    if (deliveries.length === 0) return
    const first = await this.#numbers(deliveries.length)
    await this.#database.writing(COLLECTION).insertMany(
      deliveries.map((one, at) => ({
        ...one,
        _id: inProject(one.project_id, one.delivery_id),
        seq: first + at,
        state,
        attempts: 0,
        next_at: one.created_at,
        write,
      })),
      { ordered: true },
    )
  }

  async release(write: number): Promise<void> {
    const staged = { write, state: 'staged' }
    await this.#database.writing(COLLECTION).updateMany(staged, { $set: { state: 'pending' } })
    await this.#added()
  }

  async drop(write: number): Promise<void> {
    await this.#database.writing(COLLECTION).deleteMany({ write, state: 'staged' })
  }

  async pending(webhookId: string, after: number, limit: number): Promise<readonly PendingDelivery[]> {
    for (;;) {
      // oxlint-disable no-await-in-loop -- until nothing is in the way that nobody releases
      const found = await this.#database
        .reading(COLLECTION)
        .find(
          { webhook_id: webhookId, state: { $in: ['pending', 'staged'] }, seq: { $gt: after } },
          { sort: { seq: 1 }, limit },
        )
        .toArray()
      const read = found.map(one => keptPending.parse(one))
      // What is being released is so one after the other: those behind one that is not yet would pass it.
      const end = read.findIndex(({ state }) => state === 'staged')
      const staged = read[end]
      if (staged === undefined || (await this.#lane.isUnderWay(staged.project_id, staged.write))) {
        return read
          .slice(0, end === -1 ? undefined : end)
          .map(({ state: _state, write: _write, ...one }): PendingDelivery => one)
      }
      // It was released meanwhile, or came late, from a process that stalled: then nobody releases it.
      await this.drop(staged.write)
      // oxlint-enable no-await-in-loop
    }
  }

  async begin(seq: number, fence: number): Promise<boolean> {
    const { matchedCount } = await this.#database
      .writing(COLLECTION)
      .updateOne({ seq, state: 'pending', ...upTo(fence) }, { $set: { fence } })
    return matchedCount > 0
  }

  async settle(attempts: readonly Attempt[]): Promise<void> {
    if (attempts.length === 0) return
    await this.#database.writing(COLLECTION).bulkWrite(
      attempts.map(({ seq, status, failure, fence, ...became }) => ({
        updateOne: {
          filter: { seq, state: 'pending', ...(fence !== undefined && upTo(fence)) },
          update: {
            $set: { ...became, ...(status !== undefined && { status }), ...(failure !== undefined && { failure }) },
            $unset: { ...(status === undefined && { status: '' }), ...(failure === undefined && { failure: '' }) },
          },
        },
      })),
    )
  }

  async list(projectId: string, webhookId: string, filter: DeliveryFilter): Promise<readonly Delivery[]> {
    const { state, before, limit } = filter
    const asked = {
      project_id: projectId,
      webhook_id: webhookId,
      state: { $in: state === undefined ? SHOWN : [state] },
      ...(before !== undefined && { seq: { $lt: before } }),
    }
    const found = await this.#database
      .reading(COLLECTION)
      .find(asked, { projection: { body: 0 }, sort: { seq: -1 }, limit })
      .toArray()
    return found.map(one => {
      const { next_at, ...read } = keptHistory.parse(one)
      return { ...read, ...(read.state === 'pending' && { next_at }) }
    })
  }

  requeue({ projectId, webhookId, deliveryId, now, expiresAt }: Requeue): Promise<number> {
    const which =
      deliveryId === undefined ? { state: 'dead' } : { _id: inProject(projectId, deliveryId), state: { $in: SETTLED } }
    return this.#lane.run(projectId, async () => {
      let count = 0
      for (;;) {
        // oxlint-disable no-await-in-loop -- some after the others, in their order
        const again = await this.#database
          .reading(COLLECTION)
          .find(
            { project_id: projectId, webhook_id: webhookId, ...which },
            { projection: { seq: 1 }, sort: { seq: 1 }, limit: REQUEUED_TOGETHER },
          )
          .toArray()
        if (again.length === 0) {
          if (count > 0) await this.#added()
          return count
        }
        const first = await this.#numbers(again.length)
        const { matchedCount } = await this.#database.writing(COLLECTION).bulkWrite(
          again.map(({ _id, seq }, at) => ({
            updateOne: {
              // Another that put it back, while this one stalled, gave it another number.
              filter: { _id, seq: Number(seq) },
              update: { $set: { seq: first + at, state: 'pending', attempts: 0, next_at: now, expires_at: expiresAt } },
            },
          })),
          { ordered: true },
        )
        // oxlint-enable no-await-in-loop
        if (matchedCount < again.length) throw new TakenOver()
        count += again.length
      }
    })
  }

  async removeWebhook(projectId: string, webhookId: string): Promise<void> {
    await this.#lane.run(projectId, () =>
      this.#database.writing(COLLECTION).deleteMany({ project_id: projectId, webhook_id: webhookId }),
    )
  }

  async waiting(): Promise<readonly Pick<NewDelivery, 'project_id' | 'webhook_id'>[]> {
    const found = await this.#database
      .reading(COLLECTION)
      .aggregate([
        { $match: { state: { $in: ['pending', 'staged'] } } },
        { $group: { _id: '$webhook_id', project_id: { $first: '$project_id' } } },
      ])
      .toArray()
    return found.map(one => ({ project_id: String(one['project_id']), webhook_id: String(one['_id']) }))
  }

  async counts(): Promise<OutboxCounts> {
    const deliveries = this.#database.reading(COLLECTION)
    const of = (state: DeliveryState) => deliveries.countDocuments({ state })
    const [pending, dead] = await Promise.all([of('pending'), of('dead')])
    return { pending, dead }
  }

  async removeSettled(before: string): Promise<number> {
    const { deletedCount } = await this.#database
      .writing(COLLECTION)
      .deleteMany({ state: { $in: SETTLED }, attempted_at: { $lt: before } })
    return deletedCount
  }

  /** Whoever tells a webhook may be another process. */
  async #added(): Promise<void> {
    await this.#database.versions.raise('deliveries')
  }

  /** So many numbers in a row; the first of them. Of one that was given nothing else ever has it. */
  async #numbers(count: number): Promise<number> {
    const counted = await this.#database
      .writing('counters')
      .findOneAndUpdate({ _id: COLLECTION }, { $inc: { last: count } }, { upsert: true, returnDocument: 'after' })
    return Number(counted?.['last']) - count + 1
  }
}
