import type { Document as BsonDocument } from 'bson'
import type { ScopedCalls } from '../../pipeline/index.js'
import { Deadline, type TimeLeft } from '../deadline.js'
import type { FeedbackPlace, FeedbackRestored, FeedbackStore, KeptFeedback, NewDelivery } from '../event-store.js'
import { feedback, type FeedbackRecord } from '../records/feedback.js'
import { callsOf } from './call-document.js'
import type { FencedDocuments } from './fenced-documents.js'
import type { MongoDatabase } from './mongodb-database.js'
import type { MongoDeliveries } from './mongodb-deliveries.js'
import { inProject } from './mongodb-records.js'
import type { Unfinished, WriteLane } from './write-lane.js'

const COLLECTION = 'feedback'

/** Verdicts whose calls are looked up at once: more take no less time each. */
const PAGE_VERDICTS = 1_000

/** Feedback with deliveries that tell of it: they count as soon as it is there. */
interface UnfinishedFeedback extends Unfinished {
  readonly kind: 'feedback'
  /** Of its document. */
  readonly id: string
}

/** Feedback as JSON, beside what it is found and sorted by; a call that was given another id has it there alone. */
interface KeptRecord {
  readonly _id: string
  readonly project_id: string
  readonly session_id: string
  readonly feedback_id: string
  readonly created_at: string
  /** A verdict, or an answer to one. */
  readonly judges: boolean
  readonly record: string
}

const keptOf = (record: FeedbackRecord): KeptRecord => ({
  _id: inProject(record.project_id, record.feedback_id),
  project_id: record.project_id,
  session_id: record.session_id,
  feedback_id: record.feedback_id,
  created_at: record.created_at,
  judges: record.verdict !== undefined || record.about === 'feedback',
  record: JSON.stringify(record),
})

const recordOf = ({ record, session_id }: KeptRecord): FeedbackRecord => ({
  ...feedback.stored.parse(JSON.parse(record)),
  session_id,
})

const FROM_OLDEST = { created_at: 1, feedback_id: 1 } as const

interface Parts {
  readonly database: MongoDatabase
  readonly lane: WriteLane
  readonly documents: FencedDocuments
  readonly deliveries: MongoDeliveries
}

/** What people said about calls. */
export class MongoFeedback implements FeedbackStore {
  readonly #database: MongoDatabase
  readonly #lane: WriteLane
  readonly #documents: FencedDocuments
  readonly #deliveries: MongoDeliveries

  constructor({ database, lane, documents, deliveries }: Parts) {
    this.#database = database
    this.#lane = lane
    this.#documents = documents
    this.#deliveries = deliveries
    lane.finishes<UnfinishedFeedback>('feedback', async ({ _id: write, id }) => {
      await documents.fence(COLLECTION, [id])
      const isThere =
        (await database.reading(COLLECTION).findOne({ _id: id, write }, { projection: { _id: 1 } })) !== null
      await (isThere ? deliveries.release(write) : deliveries.drop(write))
    })
  }

  add(said: FeedbackRecord, deliveries: readonly NewDelivery[]): Promise<boolean> {
    return this.#lane.run(said.project_id, async () => {
      // In the lane: a call that is being erased gets none.
      const calls = await this.#among(said.project_id, [said.session_id])
      if (calls.size === 0) return false
      const kept = keptOf(said)
      const { write } = await this.#lane.number()
      const unfinished: UnfinishedFeedback = {
        _id: write,
        kind: 'feedback',
        project_id: said.project_id,
        id: kept._id,
      }
      await this.#lane.noting(unfinished, async () => {
        await this.#deliveries.stage(write, deliveries)
        await this.#documents.write(COLLECTION, write, [{ ...kept }])
        await this.#deliveries.release(write)
      })
      return true
    })
  }

  remove(projectId: string, sessionId: string, feedbackId: string): Promise<boolean> {
    return this.#lane.run(projectId, async () => {
      const one = { project_id: projectId, session_id: sessionId, feedback_id: feedbackId }
      const { deletedCount } = await this.#database.writing(COLLECTION).deleteMany(one)
      return deletedCount > 0
    })
  }

  reword(
    projectId: string,
    texts: readonly Pick<FeedbackRecord, 'session_id' | 'feedback_id' | 'text'>[],
  ): Promise<void> {
    return this.#lane.run(projectId, async () => {
      for (const { session_id, feedback_id, text } of texts) {
        const one = { project_id: projectId, session_id, feedback_id }
        // oxlint-disable no-await-in-loop -- one after the other
        const there = await this.#reading.findOne(one)
        if (there === null) continue
        const { text: _, ...said } = recordOf(there)
        const record = JSON.stringify({ ...said, ...(text !== undefined && { text }) })
        // As it was read: what was said since, while this process stalled, stays.
        await this.#database.writing(COLLECTION).updateOne({ ...one, record: there.record }, { $set: { record } })
        // oxlint-enable no-await-in-loop
      }
    })
  }

  async of(projectId: string, sessionId: string): Promise<readonly FeedbackRecord[]> {
    const about = { project_id: projectId, session_id: sessionId }
    return (await this.#reading.find(about, { sort: FROM_OLDEST }).toArray()).map(recordOf)
  }

  /**
   * Verdicts are gone through, newest first, until there are enough on calls that are heard, with one look at the calls
   * of a page: only a call itself says whose it is by now, and no server has to join collections, which may lie on several shards.
   */
  async newestVerdicts(calls: ScopedCalls, most: number, left: TimeLeft): Promise<readonly FeedbackRecord[]> {
    const { projectId, agents } = calls.scope
    if (agents.length === 0) return []
    const deadline = Deadline.of(left)
    const found: KeptRecord[] = []
    let page: KeptRecord[] = []
    const take = async () => {
      if (deadline.ended !== undefined) throw deadline.ended
      const heard = await this.#heard(calls, [...new Set(page.map(one => one.session_id))])
      found.push(...page.filter(one => heard.has(one.session_id)))
      page = []
    }
    try {
      const newestFirst = { sort: { created_at: -1, feedback_id: -1 }, batchSize: PAGE_VERDICTS } as const
      for await (const one of this.#reading.find({ project_id: projectId, judges: true }, newestFirst)) {
        page.push(one)
        if (page.length < PAGE_VERDICTS) continue
        await take()
        if (found.length >= most) break
      }
      if (page.length > 0) await take()
    } finally {
      deadline.dispose()
    }
    return found.slice(0, most).toReversed().map(recordOf)
  }

  async page(projectId: string, after: FeedbackPlace | undefined, limit: number): Promise<readonly FeedbackRecord[]> {
    const behind = after && {
      $or: [
        { created_at: { $gt: after.created_at } },
        { created_at: after.created_at, feedback_id: { $gt: after.feedback_id } },
      ],
    }
    const found = await this.#reading.find({ project_id: projectId, ...behind }, { sort: FROM_OLDEST, limit }).toArray()
    return found.map(recordOf)
  }

  restore(projectId: string, given: readonly KeptFeedback[]): Promise<FeedbackRestored> {
    return this.#lane.run(projectId, async () => {
      const calls = await this.#among(
        projectId,
        given.map(one => one.session_id),
      )
      const ids = given.map(one => one.feedback_id)
      const there = await this.#reading.find({ project_id: projectId, feedback_id: { $in: ids } }).toArray()
      const known = new Set(there.map(one => one.feedback_id))
      // Of one id in one batch one is kept; one that was there stays.
      const added = new Map(
        given
          .filter(one => calls.has(one.session_id) && !known.has(one.feedback_id))
          .map(one => [one.feedback_id, keptOf({ project_id: projectId, ...one })]),
      )
      await this.#documents.put(
        projectId,
        COLLECTION,
        [...added.values()].map(one => ({ ...one })),
      )
      return {
        added: added.size,
        without_call: given.filter(one => !calls.has(one.session_id)).map(one => one.feedback_id),
      }
    })
  }

  /** Which of these calls are there. */
  #among(projectId: string, sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#idsOf(callsOf(projectId, sessionIds))
  }

  /** Which of these calls are heard. */
  async #heard({ scope, before }: ScopedCalls, sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const heard = {
      ...callsOf(scope.projectId, sessionIds),
      created_dt: { $lt: before },
      ...(scope.agents !== 'all' && { agent_name: { $in: [...scope.agents] } }),
    }
    return await this.#idsOf(heard)
  }

  async #idsOf(which: BsonDocument): Promise<ReadonlySet<string>> {
    const found = await this.#database
      .reading('facts')
      .find(which, { projection: { session_id: 1 } })
      .toArray()
    return new Set(found.map(one => String(one['session_id'])))
  }

  get #reading() {
    return this.#database.reading<KeptRecord>(COLLECTION)
  }
}
