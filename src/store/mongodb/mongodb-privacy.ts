import type { Document as BsonDocument } from 'bson'
import { isObject } from '../../base/is-object.js'
import { otherWork } from '../../base/other-work.js'
import type { CustomerCall, PrivacyStore } from '../privacy-store.js'
import { approval, type ApprovalRecord } from '../records/approval.js'
import { type CustomerChoice, erasure, type ErasureRecord, hold, type HoldRecord } from '../records/hold.js'
import { callsOf, idOf } from './call-document.js'
import type { FencedDocuments } from './fenced-documents.js'
import type { Kept, MongoDatabase } from './mongodb-database.js'
import type { WriteLane } from './write-lane.js'

/** Work in this thread before others get their turn, in milliseconds. */
const TURN_MS = 2

/** What of a call says whose it is. */
const WHOSE = { session_id: 1, agent_name: 1, created_dt: 1, customer_display_name: 1, session_metadata: 1 } as const

/** Names and values are compared without case and blanks around. */
const bare = (text: string): string => text.replace(/^ +| +$/g, '').toLowerCase()

/** A value of session_metadata as a text; undefined where there is none. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return bare(typeof value === 'string' ? value : JSON.stringify(value))
}

function isOf(call: BsonDocument, { customer, field, value }: CustomerChoice): boolean {
  const metadata: Readonly<Record<string, unknown>> = isObject(call['session_metadata']) ? call['session_metadata'] : {}
  const at = (name: string) => (Object.hasOwn(metadata, name) ? textOf(metadata[name]) : undefined)
  if (customer !== undefined) {
    const name = bare(customer)
    if (textOf(call['customer_display_name']) === name || at('customer_display_name') === name) return true
  }
  return field !== undefined && value !== undefined && at(field) === bare(value)
}

const names = ({ session_ids: ids = [] }: HoldRecord, sessionId: string) => ids.includes(sessionId)
const isWide = ({ customer, field }: HoldRecord) => customer !== undefined || field !== undefined

/** Keeps holds and what is known of erasures. Few of each: whose calls are whose is looked at here. */
export class MongoPrivacy implements PrivacyStore {
  readonly #database: MongoDatabase
  readonly #lane: WriteLane
  readonly #documents: FencedDocuments

  constructor(database: MongoDatabase, lane: WriteLane, documents: FencedDocuments) {
    this.#database = database
    this.#lane = lane
    this.#documents = documents
  }

  async placeHold(record: HoldRecord, most = Infinity): Promise<boolean> {
    const { project_id, hold_id } = record
    const kept = { _id: idOf(project_id, hold_id), project_id, record: JSON.stringify(record) }
    // In the lane: what it keeps is not being erased when it is there, and nobody places another.
    return await this.#lane.run(project_id, async () => {
      if ((await this.#database.writing('holds').countDocuments({ project_id })) >= most) return false
      await this.#documents.put(project_id, 'holds', [kept])
      return true
    })
  }

  async releaseHold(projectId: string, holdId: string): Promise<HoldRecord | undefined> {
    const gone = await this.#database.writing('holds').findOneAndDelete({
      _id: idOf(projectId, holdId),
      project_id: projectId,
    })
    return gone === null ? undefined : hold.stored.parse(JSON.parse(String(gone['record'])))
  }

  async holds(projectId: string): Promise<readonly HoldRecord[]> {
    const found = await this.#database.reading('holds').find({ project_id: projectId }).toArray()
    return found
      .map(one => hold.stored.parse(JSON.parse(String(one['record']))))
      .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
  }

  async heldBy(projectId: string, holdId: string): Promise<number> {
    const holds = (await this.holds(projectId)).filter(one => one.hold_id === holdId)
    if (holds.length === 0) return 0
    let count = 0
    for await (const call of this.#calls({ project_id: projectId })) if (isHeld(call, holds)) count += 1
    return count
  }

  async heldAmong(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    const holds = await this.holds(projectId)
    if (holds.length === 0) return []
    const wide = holds.some(isWide)
    const asked = wide ? sessionIds : sessionIds.filter(id => holds.some(one => names(one, id)))
    const held: string[] = []
    for await (const call of this.#calls(callsOf(projectId, asked))) {
      if (isHeld(call, holds)) held.push(String(call['session_id']))
    }
    return held
  }

  async callsOf(projectId: string, choice: CustomerChoice): Promise<readonly CustomerCall[]> {
    const holds = await this.holds(projectId)
    const found: CustomerCall[] = []
    for await (const call of this.#calls({ project_id: projectId })) {
      if (!isOf(call, choice)) continue
      found.push({
        session_id: String(call['session_id']),
        agent_name: String(call['agent_name']),
        created_dt: (call['created_dt'] as Date).toISOString(),
        held: isHeld(call, holds),
      })
    }
    return found
  }

  async approvals(projectId: string): Promise<readonly ApprovalRecord[]> {
    const found = await this.#database.reading('approvals').find({ project_id: projectId }).toArray()
    return found
      .map(one => approval.stored.parse(JSON.parse(String(one['record']))))
      .toSorted((a, b) => (a.requested_at < b.requested_at ? -1 : 1))
  }

  async putApproval(record: ApprovalRecord): Promise<void> {
    await this.#database.writing('approvals').insertOne(keptApproval(record))
  }

  async confirmApproval(record: ApprovalRecord): Promise<boolean> {
    const { _id, ...kept } = keptApproval(record)
    const { matchedCount } = await this.#database
      .writing('approvals')
      .updateOne({ _id, confirmed: false }, { $set: kept })
    return matchedCount > 0
  }

  async takeApproval(projectId: string, approvalId: string): Promise<boolean> {
    const { deletedCount } = await this.#database.writing('approvals').deleteOne({ _id: idOf(projectId, approvalId) })
    return deletedCount > 0
  }

  async erasures(projectId: string, limit: number): Promise<readonly ErasureRecord[]> {
    const found = await this.#database
      .reading('erasures')
      .find({ project_id: projectId }, { projection: { _id: 0, project_id: 0 }, sort: { erased_at: -1 }, limit })
      .toArray()
    return found.map(record => erasure.stored.parse(record))
  }

  /** Calls in the order in which they began, in turns with other work. */
  async *#calls(filter: BsonDocument): AsyncGenerator<BsonDocument> {
    const cursor = this.#database
      .reading('calls')
      .find(filter, { projection: WHOSE, sort: { created_dt: 1, session_id: 1 } })
    let began = performance.now()
    for await (const call of cursor) {
      yield call
      if (performance.now() - began < TURN_MS) continue
      await otherWork()
      began = performance.now()
    }
  }
}

const isHeld = (call: BsonDocument, holds: readonly HoldRecord[]): boolean =>
  holds.some(one => names(one, String(call['session_id'])) || isOf(call, one))

function keptApproval(record: ApprovalRecord): Kept {
  const { project_id, approval_id, confirmed_at } = record
  const confirmed = confirmed_at !== undefined
  return { _id: idOf(project_id, approval_id), project_id, confirmed, record: JSON.stringify(record) }
}
