import { calculateObjectSize, type Document as BsonDocument, Int32 } from 'bson'
import type { AnyBulkWriteOperation, FindCursor, FindOptions } from 'mongodb'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import { CALL_SUBJECT } from '../event-store.js'
import type { ErasureNote } from '../store.js'
import { type CallDocument, callsOf, factsOf, idOf, longOf } from './call-document.js'
import type { DayList } from './counts/day-list.js'
import { type FencedDocuments, fencing } from './fenced-documents.js'
import { type Kept, type MongoDatabase, unlessTakenOver, upTo } from './mongodb-database.js'
import type { ProjectChanges } from './project-changes.js'
import { readStored } from './values.js'
import { type Unfinished, vacantUntil, type WriteLane } from './write-lane.js'

/** Largest document that a server takes, with room for what a command says beside it. */
const MOST_BYTES = 16 * 1024 * 1024 - 64 * 1024
/** Largest call that is taken: what is found in it later, signals and their quotes, has to have room too. */
const MOST_TAKEN_BYTES = 15 * 1024 * 1024
/** JSON that makes no larger document: an entry of a list, `1,`, becomes nine times as much at most, its place and a number of eight bytes. */
const SURELY_TAKEN_JSON_BYTES = 1024 * 1024
/** Calls that are written together, so that one write is done in good time; and those looked at where one was cut off. */
const FEW = 256

/** Collections that keep something about calls, by project_id and session_id, beside deliveries. */
const ABOUT_CALLS = ['noted_calls', 'feedback', 'report_calls', 'model_answers', 'model_batch_calls'] as const
const RENAMED = ['noted_calls', 'feedback', 'report_calls'] as const

/** A write of calls: facts are made of them anew, and what follows is done again. */
interface UnfinishedCalls extends Unfinished {
  readonly kind: 'calls'
  readonly session_ids: readonly string[]
  readonly renamed: readonly Renamed[]
  readonly noted: readonly string[]
  /** Absent in what a process of an earlier version noted. */
  readonly restored?: readonly Restored[]
}

/** A call that was erased and may come in again. */
export interface Restored {
  readonly session_id: string
  readonly tombstone: string
}

/** What is kept about one call is about another from then on. */
interface Renamed {
  readonly to: string
  readonly from: string
}

interface UnfinishedErasure extends Unfinished {
  readonly kind: 'erasure'
  readonly session_ids: readonly string[]
  readonly erasure: Erasure
}

interface Erasure extends ErasureNote {
  readonly at: string
  /** Ids of those that were there. */
  readonly found: readonly string[]
}

/** The id of a note: in their order the notes were made. */
const noteId = (write: number, at: number): string =>
  `${String(write).padStart(16, '0')}:${String(at).padStart(6, '0')}`

/** What a write changes. */
export interface Changes {
  readonly put: readonly CallDocument[]
  /** Ids of calls that go, by those of the calls that take their place, with what is kept about them. */
  readonly renamed?: ReadonlyMap<string, string>
  /** Ids of calls that webhooks or alerts may want to know of. */
  readonly noted?: readonly string[]
  /** Tombstones that go as soon as their calls are there. */
  readonly restored?: readonly Restored[]
}

interface Parts {
  readonly database: MongoDatabase
  readonly lane: WriteLane
  readonly documents: FencedDocuments
  readonly days: Pick<DayList, 'mark'>
  readonly changes: ProjectChanges
  /** The tombstone of an erased call. */
  readonly tombstone: (projectId: string, sessionId: string) => string
  /** Hears when calls were written that somebody wants to know of. */
  readonly noted: () => void
}

/** @param jsonBytes of the record it was made of @throws Problem `too_large` for a call of which the store can't keep so much */
export function checkSize(document: CallDocument, jsonBytes: number): void {
  if (jsonBytes <= SURELY_TAKEN_JSON_BYTES || calculateObjectSize(document) <= MOST_TAKEN_BYTES) return
  throw new Problem(
    'too_large',
    'is larger than the 16 MiB that this store can keep of one call and of what is searched in it; shorten its transcript',
  )
}

/**
 * The one way to write calls: in the lane of their project, each in `calls` first and then in `facts`, all under one number, which is
 * also their fence: what was written under a higher one stays. Where a write was cut off its calls are fenced, those that are not there by
 * a document without a project that stands in for them: so what a stalled process sends late changes nothing.
 */
export class CallWriter {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
    const { changes, lane } = parts
    const again = async <T extends Unfinished>(cut: T, finish: (cut: T, fence: number) => Promise<void>) => {
      const { write } = await this.number(0)
      await changes.changing(cut.project_id, () => finish(cut, write))
      await this.#tell(cut.project_id)
    }
    lane.finishes<UnfinishedCalls>('calls', cut => again(cut, (one, fence) => this.#finishCalls(one, fence)))
    lane.finishes<UnfinishedErasure>('erasure', cut => again(cut, (one, fence) => this.#erase(one, fence)))
  }

  get calls(): ReturnType<typeof MongoDatabase.prototype.reading<Kept>> {
    return this.#parts.database.reading('calls')
  }

  /** Does work that nothing is written beside in the project. */
  writing<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    return this.#parts.lane.run(projectId, () => this.#parts.changes.changing(projectId, work))
  }

  /** Resolves when no write of calls of a project is under way that was at this instant, nor any that was cut off. */
  async settled(projectId: string): Promise<void> {
    const { lane } = this.#parts
    if (await lane.isWriting(projectId)) await lane.run(projectId, async () => undefined)
  }

  /** The number of a write, and the first of so many places. */
  number(places: number): ReturnType<WriteLane['number']> {
    return this.#parts.lane.number(places)
  }

  /** Tells other processes that calls of a project changed: under a number of now, since they look for the newest, and a write may take long. */
  async #tell(projectId: string): Promise<void> {
    const { write: told } = await this.number(0)
    await this.#parts.changes.tell(projectId, told)
  }

  /** Writes calls and what is derived from them; within `writing`. @throws Problem before anything is written, where one is too large */
  async apply(
    projectId: string,
    write: number,
    { put, renamed = new Map(), noted = [], restored = [] }: Changes,
  ): Promise<void> {
    for (const document of put) {
      if (calculateObjectSize(document) > MOST_BYTES) {
        const id = echo(String(document['session_id']))
        throw new Problem('too_large', `Call ${id} would be larger than the 16 MiB that this store can keep of one`)
      }
    }
    if (put.length === 0) return
    const gone = [...renamed.values()]
    const unfinished: UnfinishedCalls = {
      _id: write,
      kind: 'calls',
      project_id: projectId,
      session_ids: [...put.map(document => String(document['session_id'])), ...gone],
      renamed: [...renamed].map(([to, from]) => ({ to, from })),
      noted,
      restored,
    }
    await this.#parts.lane.noting(unfinished, async () => {
      await this.#parts.days.mark(projectId, unfinished.session_ids, put)
      await this.#replace('calls', projectId, write, put, gone)
      await this.#replace('facts', projectId, write, put.map(factsOf), gone)
      await this.#follow(unfinished, write)
    })
    await this.#tell(projectId)
    if (noted.length > 0) this.#parts.noted()
  }

  /** Erases calls and all that is kept about them; within `writing`. Gives back how many there were. */
  async erase(projectId: string, sessionIds: readonly string[], note: ErasureNote): Promise<number> {
    const there = await this.calls.find(callsOf(projectId, sessionIds), { projection: { session_id: 1 } }).toArray()
    const found = there.map(one => String(one['session_id']))
    const { write } = await this.number(0)
    const erasure = { by: note.by, how: note.how, at: new Date().toISOString(), found }
    const unfinished: UnfinishedErasure = {
      _id: write,
      kind: 'erasure',
      project_id: projectId,
      session_ids: [...sessionIds],
      erasure,
    }
    await this.#parts.lane.noting(unfinished, () => this.#erase(unfinished, write))
    await this.#tell(projectId)
    return found.length
  }

  async #replace(
    collection: 'calls' | 'facts',
    projectId: string,
    fence: number,
    put: readonly CallDocument[],
    gone: readonly string[],
  ): Promise<void> {
    // What takes the place of others is there before they go: a write that is cut off between leaves both, and loses none.
    await this.#write(collection, [
      ...put.map(document => ({
        replaceOne: {
          filter: { _id: String(document['_id']), ...upTo(fence) },
          replacement: { ...document, fence } as BsonDocument as Kept,
          upsert: true,
        },
      })),
      ...this.#leaving(projectId, fence, gone),
    ])
  }

  /** How calls go: without a trace, where nothing of them can come late. */
  #leaving(
    projectId: string,
    fence: number,
    sessionIds: readonly string[],
    isGuarded?: boolean,
  ): readonly AnyBulkWriteOperation<Kept>[] {
    const ids = sessionIds.map(id => idOf(projectId, id))
    return this.#goingBy(projectId, fence, ids, isGuarded)
  }

  #goingBy(
    projectId: string,
    fence: number,
    ids: readonly string[],
    isGuarded = this.#parts.lane.isGuarded(projectId),
  ): AnyBulkWriteOperation<Kept>[] {
    const standIn = { fence, vacant_until: vacantUntil() } as BsonDocument as Kept
    return ids.map(_id => {
      const filter = { _id, ...upTo(fence) }
      return isGuarded ? { replaceOne: { filter, replacement: standIn, upsert: true } } : { deleteOne: { filter } }
    })
  }

  /** In their order. @throws Problem `store_unavailable` where a process that took over wrote one of them */
  async #write(collection: 'calls' | 'facts', operations: readonly AnyBulkWriteOperation<Kept>[]): Promise<void> {
    for (let at = 0; at < operations.length; at += FEW) {
      const some = operations.slice(at, at + FEW)
      // oxlint-disable-next-line no-await-in-loop -- in their order
      await unlessTakenOver(this.#parts.database.writing(collection).bulkWrite(some, { ordered: true }))
    }
  }

  /** Tombstones first: what comes in meanwhile, or after it was cut off, stays out. All of it may be done again. */
  async #erase(
    { _id, project_id: projectId, session_ids: sessionIds, erasure }: UnfinishedErasure,
    fence: number,
  ): Promise<void> {
    const { database, tombstone, days } = this.#parts
    const { found, at, by, how } = erasure
    await days.mark(projectId, found)
    const tombstones = found.map(id => ({
      replaceOne: {
        filter: { _id: tombstone(projectId, id), ...upTo(fence) },
        replacement: { project_id: projectId, fence } as BsonDocument as Kept,
        upsert: true,
      },
    }))
    if (tombstones.length > 0) await unlessTakenOver(database.writing('erased_calls').bulkWrite(tombstones))
    const leaving = this.#leaving(projectId, fence, sessionIds)
    await this.#write('facts', leaving)
    await this.#write('calls', leaving)
    // Also of ids that were not there; what came behind the erasure, as of a call that was restored, stays.
    for (const name of ABOUT_CALLS) {
      const about = { project_id: projectId, session_id: { $in: [...sessionIds] } }
      // oxlint-disable-next-line no-await-in-loop -- one collection after the other
      await database.writing(name).deleteMany({ ...about, ...upTo(fence) })
    }
    const subjects = sessionIds.map(id => `${CALL_SUBJECT}${id}`)
    const told = { project_id: projectId, subject: { $in: subjects }, write: { $not: { $gt: fence } } }
    await database.writing('event_deliveries').deleteMany(told)
    if (found.length === 0) return
    const note = { project_id: projectId, erased_at: at, erased_by: by, how, calls: new Int32(found.length) }
    await database.writing('erasures').replaceOne({ _id: `write-${_id}` }, note, { upsert: true })
  }

  async #finishCalls(unfinished: UnfinishedCalls, fence: number): Promise<void> {
    const { _id: write, project_id: projectId, session_ids: sessionIds } = unfinished
    const written = new Set<string>()
    for (let at = 0; at < sessionIds.length; at += FEW) {
      const some = sessionIds.slice(at, at + FEW)
      // oxlint-disable no-await-in-loop -- some calls after the others
      // What the other sends late is refused from here on; what is read behind it stays so.
      await this.#write(
        'calls',
        some.flatMap(id => fencing(idOf(projectId, id), fence)),
      )
      const there = await this.read(projectId, some)
      const gone = some.filter(id => !there.has(id))
      for (const [id, document] of there) if (longOf(document['write_number']) === BigInt(write)) written.add(id)
      await this.#write('facts', [
        ...[...there.values()].map(document => ({
          replaceOne: {
            filter: { _id: String(document['_id']), ...upTo(fence) },
            replacement: { ...factsOf(document), fence } as BsonDocument as Kept,
            upsert: true,
          },
        })),
        ...this.#leaving(projectId, fence, gone, true),
      ])
      // oxlint-enable no-await-in-loop
    }
    // Under numbers of their own: one that comes late, and was followed up meanwhile, would be so once more.
    await this.#parts.documents.fence(
      'noted_calls',
      unfinished.noted.map((_, at) => noteId(write, at)),
    )
    // Where a call is not there, neither is what it was to take the place of gone.
    const there = await this.read(
      projectId,
      unfinished.renamed.map(({ to }) => to),
    )
    const following = {
      ...unfinished,
      renamed: unfinished.renamed.filter(({ to }) => there.has(to)),
      // What it did not come to is as it was, and was told of then.
      noted: unfinished.noted.filter(id => written.has(id)),
      restored: (unfinished.restored ?? []).filter(({ session_id }) => written.has(session_id)),
    }
    await this.#follow(following, fence)
  }

  /** What comes after calls and facts. What is kept about a call of the old id that came behind the write stays. */
  async #follow({ project_id, renamed, noted, restored = [] }: UnfinishedCalls, fence: number): Promise<void> {
    const { database } = this.#parts
    if (restored.length > 0) {
      const tombstones = restored.map(({ tombstone }) => tombstone)
      await unlessTakenOver(database.writing('erased_calls').bulkWrite(this.#goingBy(project_id, fence, tombstones)))
    }
    for (const { to, from } of renamed) {
      const of = { project_id, session_id: from, ...upTo(fence) }
      const told = { project_id, subject: `${CALL_SUBJECT}${from}`, write: { $not: { $gt: fence } } }
      // oxlint-disable no-await-in-loop -- one call after the other
      for (const name of RENAMED) await database.writing(name).updateMany(of, { $set: { session_id: to } })
      await database.writing('event_deliveries').updateMany(told, { $set: { subject: `${CALL_SUBJECT}${to}` } })
      await database.writing('model_answers').deleteMany(of)
      // oxlint-enable no-await-in-loop
    }
    if (noted.length === 0) return
    const notes = noted.map((session_id, at): Kept => ({ _id: noteId(fence, at), project_id, session_id, fence }))
    await unlessTakenOver(database.writing('noted_calls').insertMany(notes))
  }

  /**
   * Calls, each value as the type it is stored as. Their bytes are read here: a driver that is told to keep types (`promoteValues: false`)
   * keeps those of errors too, does not know their codes, and asks nothing again when another primary is chosen.
   */
  find(filter: BsonDocument, options: FindOptions = {}): FindCursor<CallDocument> {
    return this.calls
      .find(filter, { ...options, raw: true })
      .map(bytes => readStored(bytes as BsonDocument as Uint8Array))
  }

  /** Whole calls by their ids: of those that are there. */
  async read(projectId: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, CallDocument>> {
    const found = await this.find(callsOf(projectId, sessionIds)).toArray()
    return new Map(found.map(one => [String(one['session_id']), one]))
  }
}
