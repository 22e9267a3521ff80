import { createHash } from 'node:crypto'
import { Problem } from '../../base/problem.js'
import type { PrivacyStore } from '../privacy-store.js'
import type {
  CallStore,
  ErasureNote,
  OlderOptions,
  PreparedCall,
  PreviewedCall,
  UpsertPreview,
  UpsertResult,
  UnkeptCall,
} from '../store.js'
import { type CallDocument, callsOf, idOf, longOf, plain, readCall, withFields } from './call-document.js'
import { type CallWriter, checkSize, type Restored } from './call-writer.js'
import { type Kept, type MongoDatabase, upTo } from './mongodb-database.js'
import { MongoEvaluations } from './mongodb-evaluations.js'
import { MongoLifts } from './mongodb-lifts.js'
import { MongoRedactions } from './mongodb-redactions.js'

interface Parts {
  readonly database: MongoDatabase
  readonly writer: CallWriter
  readonly tombstone: (projectId: string, sessionId: string) => string
  readonly privacy: Pick<PrivacyStore, 'heldAmong'>
}

/** What becomes of calls whose ids are those of their files. */
interface Judged {
  readonly taken: ReadonlySet<string>
  /** Stored under the bare names of their files: these become them. By their ids. */
  readonly renamed: Map<string, string>
  readonly besideBare: readonly string[]
}

/** Calls that `olderThan` looks at together. */
const PAGE_CALLS = 512

const unique = <T extends PreviewedCall>(calls: readonly T[]) => new Map(calls.map(call => [call.session_id, call]))

/** What a call is known by where a file's id is another's. */
function alike(stored: CallDocument, { agent_name, placed }: PreviewedCall): boolean {
  const turns: unknown = stored['transcript']
  const words = Array.isArray(turns)
    ? createHash('sha256')
        .update(turns.map(({ text }: { readonly text: string }) => text).join('\n'))
        .digest('hex')
    : undefined
  const same = [
    stored['agent_name'] === agent_name,
    (stored['created_dt'] as Date).getTime() === placed?.began,
    words === placed?.words,
  ]
  // Two of the three: so a mapping that is put right replaces the call, and so does another transcription of it.
  return same.filter(Boolean).length >= 2
}

/** Whether anything that was said is kept of a call. */
const HAS_SPEECH = {
  $or: [
    { transcript: { $exists: true } },
    { recording_url: { $exists: true } },
    { 'signals.evidence': { $exists: true } },
    { 'guidance.evidence': { $exists: true } },
    { 'conditions.text': { $exists: true } },
  ],
}

/** Writes, erases and looks up calls, one write after the other. */
export class MongoCalls implements CallStore {
  readonly #parts: Parts
  readonly #evaluations: MongoEvaluations
  readonly #lifts: MongoLifts
  readonly #redactions: MongoRedactions
  readonly chooseToEvaluate: CallStore['chooseToEvaluate']
  readonly toEvaluate: CallStore['toEvaluate']
  readonly writeEvaluations: CallStore['writeEvaluations']
  readonly countTexts: CallStore['countTexts']
  readonly texts: CallStore['texts']
  readonly writeTexts: CallStore['writeTexts']
  readonly countLiftCalls: CallStore['countLiftCalls']
  readonly alikeCalls: CallStore['alikeCalls']
  readonly liftPages: CallStore['liftPages']
  readonly writeLifts: CallStore['writeLifts']
  readonly liftFits: CallStore['liftFits']
  readonly writeLiftFit: CallStore['writeLiftFit']

  constructor(parts: Parts) {
    this.#parts = parts
    const { database, writer, privacy } = parts
    this.#evaluations = new MongoEvaluations(writer, (...asked) => this.#notable(...asked))
    this.#lifts = new MongoLifts(database, writer)
    this.#redactions = new MongoRedactions(writer, privacy)
    const [evaluations, lifts, redactions] = [this.#evaluations, this.#lifts, this.#redactions]
    this.chooseToEvaluate = (...asked) => evaluations.choose(...asked)
    this.toEvaluate = (...asked) => evaluations.page(...asked)
    this.writeEvaluations = (...asked) => evaluations.write(...asked)
    this.countTexts = (...asked) => redactions.count(...asked)
    this.texts = (...asked) => redactions.page(...asked)
    this.writeTexts = (...asked) => redactions.write(...asked)
    this.countLiftCalls = (...asked) => lifts.countLiftCalls(...asked)
    this.alikeCalls = (...asked) => lifts.alikeCalls(...asked)
    this.liftPages = (...asked) => lifts.liftPages(...asked)
    this.writeLifts = (...asked) => lifts.writeLifts(...asked)
    this.liftFits = (...asked) => lifts.liftFits(...asked)
    this.writeLiftFit = (...asked) => lifts.writeLiftFit(...asked)
  }

  async upsert(
    projectId: string,
    calls: readonly PreparedCall[],
    { restoreErased = false }: { restoreErased?: boolean } = {},
  ): Promise<UpsertResult> {
    const { writer } = this.#parts
    if (calls.length === 0)
      return { stored: 0, replaced: 0, erased: [], taken: [], held: [], unkept: [], besideBare: [] }
    return await writer.writing(projectId, async () => {
      const incoming = unique(calls)
      const { erased, taken, renamed, held, besideBare } = await this.#judge(projectId, incoming, restoreErased)
      const { write, place } = await writer.number(incoming.size)
      const unkept: UnkeptCall[] = []
      const put: CallDocument[] = []
      for (const [i, [id, call]] of [...incoming].entries()) {
        try {
          const document = readCall(projectId, call, { write, place: place + BigInt(i) })
          checkSize(document, call.json.length)
          put.push(document)
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          unkept.push({ session_id: id, why: error.message })
          incoming.delete(id)
          renamed.delete(id)
        }
      }
      const before = await writer.read(projectId, [...incoming.keys()])
      const restored = restoreErased ? await this.#tombstonesOf(projectId, incoming) : []
      const noted = await this.#notable(projectId, before, put)
      await writer.apply(projectId, write, { put, renamed, noted, restored })
      const replaced = before.size + [...renamed.keys()].filter(id => !before.has(id)).length
      const beside = besideBare.filter(id => incoming.has(id))
      return { stored: put.length, replaced, erased, taken, held, unkept, besideBare: beside }
    })
  }

  async preview(
    projectId: string,
    calls: readonly PreviewedCall[],
    { restoreErased = false }: { restoreErased?: boolean } = {},
  ): Promise<UpsertPreview> {
    const incoming = unique(calls)
    const { erased, taken, renamed, held, besideBare } = await this.#judge(projectId, incoming, restoreErased)
    const there = await this.#among(projectId, [...incoming.keys()])
    return { replaced: [...new Set([...there, ...renamed.keys()])], erased, taken, held, besideBare }
  }

  async erase(projectId: string, sessionId: string): Promise<boolean> {
    return (await this.eraseAll(projectId, [sessionId])) > 0
  }

  async eraseAll(
    projectId: string,
    sessionIds: readonly string[],
    note: ErasureNote = { by: 'earshot', how: 'call' },
  ): Promise<number> {
    const { writer, privacy } = this.#parts
    if (sessionIds.length === 0) return 0
    return await writer.writing(projectId, async () => {
      const held = new Set(await privacy.heldAmong(projectId, sessionIds))
      const leaving = [...new Set(sessionIds)].filter(id => !held.has(id))
      return leaving.length === 0 ? 0 : await writer.erase(projectId, leaving, note)
    })
  }

  async eraseTranscripts(projectId: string, sessionIds: readonly string[]): Promise<number> {
    const { database, writer, privacy } = this.#parts
    if (sessionIds.length === 0) return 0
    return await writer.writing(projectId, async () => {
      const held = new Set(await privacy.heldAmong(projectId, sessionIds))
      const leaving = [...new Set(sessionIds)].filter(id => !held.has(id))
      const { write } = await writer.number(0)
      // They hold none of its words, but places of them. What is asked of a call that comes again is no longer of this one.
      const answered = { project_id: projectId, session_id: { $in: leaving }, ...upTo(write) }
      await database.writing('model_answers').deleteMany(answered)
      const speaking = await writer.find({ $and: [callsOf(projectId, leaving), HAS_SPEECH] }).toArray()
      if (speaking.length === 0) return 0
      const put = speaking.map(document =>
        withFields(document, silenced(document), { write, place: longOf(document['place']) }),
      )
      await writer.apply(projectId, write, { put })
      return put.length
    })
  }

  async recordingsOfOnly(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    const { calls } = this.#parts.writer
    const ids = sessionIds.map(id => idOf(projectId, id))
    const projection = { recording_url: 1 }
    const asked = await calls.find({ _id: { $in: ids }, recording_url: { $exists: true } }, { projection }).toArray()
    const places = [...new Set(asked.map(one => String(one['recording_url'])))]
    if (places.length === 0) return []
    const others = await calls
      .find({ project_id: projectId, recording_url: { $in: places }, _id: { $nin: ids } }, { projection })
      .toArray()
    const kept = new Set(others.map(one => String(one['recording_url'])))
    return places.filter(place => !kept.has(place))
  }

  async olderThan(
    projectId: string,
    before: number,
    { limit, withTranscript = false }: OlderOptions,
  ): Promise<readonly string[]> {
    const { writer, privacy } = this.#parts
    const old = { project_id: projectId, created_dt: { $lt: new Date(before) } }
    const cursor = writer.calls.find(withTranscript ? { $and: [old, HAS_SPEECH] } : old, {
      projection: { session_id: 1 },
      sort: { created_dt: 1, session_id: 1 },
      batchSize: PAGE_CALLS,
    })
    const found: string[] = []
    let page: string[] = []
    const take = async () => {
      const held = new Set(await privacy.heldAmong(projectId, page))
      found.push(...page.filter(id => !held.has(id)))
      page = []
    }
    for await (const one of cursor) {
      page.push(String(one['session_id']))
      if (page.length >= Math.min(PAGE_CALLS, limit)) await take()
      if (found.length >= limit) break
    }
    if (page.length > 0) await take()
    return found.slice(0, limit)
  }

  async languages(projectId: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.#parts.database
      .reading('facts')
      .find(
        { ...callsOf(projectId, sessionIds), language_primary: { $exists: true } },
        { projection: { session_id: 1, language_primary: 1 } },
      )
      .toArray()
    return new Map(found.map(one => [String(one['session_id']), String(one['language_primary'])]))
  }

  async agentIds(projectId: string): Promise<ReadonlyMap<string, string>> {
    const found = await this.#parts.database
      .reading('facts')
      .aggregate([
        { $match: { project_id: { $eq: projectId }, agent_id: { $exists: true } } },
        { $group: { _id: { id: '$agent_id', name: '$agent_name' }, last: { $max: '$created_dt' } } },
        { $sort: { last: 1, _id: 1 } },
      ])
      .toArray()
    return new Map(
      found.map(({ _id }): [string, string] => [String((_id as Kept)['id']), String((_id as Kept)['name'])]),
    )
  }

  /** Which of the calls that come in stay out, and which take the place of others; those that stay out leave the map. */
  async #judge(projectId: string, incoming: Map<string, PreviewedCall>, restoreErased: boolean) {
    const erased = restoreErased ? [] : await this.#erasedAmong(projectId, incoming)
    for (const id of erased) incoming.delete(id)
    const { taken, renamed, besideBare } = await this.#placed(projectId, incoming)
    const becomes = new Map([...renamed].map(([to, from]) => [from, to]))
    const held = await this.#parts.privacy.heldAmong(projectId, [...incoming.keys(), ...becomes.keys()])
    const keptOut = [...new Set(held.map(id => becomes.get(id) ?? id))]
    for (const id of [...taken, ...keptOut]) {
      incoming.delete(id)
      renamed.delete(id)
    }
    return { erased, taken: [...taken], renamed, held: keptOut, besideBare }
  }

  /** Tombstones that calls which come in may have: of the id of each, and of the bare name of its file. */
  #tombstones(projectId: string, incoming: ReadonlyMap<string, PreviewedCall>): readonly Restored[] {
    const { tombstone } = this.#parts
    return [...incoming.values()].flatMap(({ session_id: id, placed }) =>
      [id, placed?.bare]
        .filter(name => name !== undefined)
        .map((name): Restored => ({ session_id: id, tombstone: tombstone(projectId, name) })),
    )
  }

  async #erasedAmong(projectId: string, incoming: ReadonlyMap<string, PreviewedCall>): Promise<readonly string[]> {
    const there = await this.#tombstonesOf(projectId, incoming)
    return [...new Set(there.map(one => one.session_id))]
  }

  /** Tombstones that are there of calls which come in. */
  async #tombstonesOf(projectId: string, incoming: ReadonlyMap<string, PreviewedCall>): Promise<readonly Restored[]> {
    const erased = this.#parts.database.reading('erased_calls')
    if ((await erased.findOne({ project_id: projectId }, { projection: { _id: 1 } })) === null) return []
    const asked = this.#tombstones(projectId, incoming)
    const hashes = asked.map(one => one.tombstone)
    const there = await erased.find({ _id: { $in: hashes }, project_id: projectId }).toArray()
    const found = new Set(there.map(({ _id }) => _id))
    return asked.filter(one => found.has(one.tombstone))
  }

  /** Looks at what is stored under the ids of files, and under their bare names. */
  async #placed(projectId: string, incoming: ReadonlyMap<string, PreviewedCall>): Promise<Judged> {
    const placed = [...incoming.values()].filter(call => call.placed !== undefined)
    const [taken, renamed, besideBare] = [new Set<string>(), new Map<string, string>(), [] as string[]]
    if (placed.length === 0) return { taken, renamed, besideBare }
    const ids = placed.flatMap(({ session_id: id, placed: by }) => [id, ...(by?.bare === undefined ? [] : [by.bare])])
    const projection = { session_id: 1, agent_name: 1, created_dt: 1, 'transcript.text': 1 }
    const found = await this.#parts.writer.calls.find(callsOf(projectId, ids), { projection }).toArray()
    const stored = new Map(found.map(one => [String(one['session_id']), one]))
    for (const call of placed) {
      const there = stored.get(call.session_id)
      if (there !== undefined && !alike(there, call)) taken.add(call.session_id)
    }
    const gone = new Set<string>()
    for (const call of placed.toSorted((a, b) => (a.session_id < b.session_id ? -1 : 1))) {
      const { session_id: id, placed: by } = call
      const there = by?.bare === undefined ? undefined : stored.get(by.bare)
      if (by?.bare === undefined || there === undefined || taken.has(id) || gone.has(by.bare)) continue
      if (alike(there, call)) {
        renamed.set(id, by.bare)
        gone.add(by.bare)
      } else besideBare.push(id)
    }
    return { taken, renamed, besideBare }
  }

  async #among(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]> {
    const found = await this.#parts.writer.calls
      .find(callsOf(projectId, sessionIds), { projection: { session_id: 1 } })
      .toArray()
    return found.map(one => String(one['session_id']))
  }

  /** Calls whose evaluation, scores or signals are others than before, in projects with webhooks or alerts. */
  async #notable(
    projectId: string,
    before: ReadonlyMap<string, CallDocument>,
    after: readonly CallDocument[],
  ): Promise<readonly string[]> {
    const { database } = this.#parts
    const wanted = await Promise.all(
      ['webhooks', 'alerts'].map(name =>
        database.reading(name).findOne({ project_id: projectId }, { projection: { _id: 1 } }),
      ),
    )
    if (wanted.every(one => one === null)) return []
    return after
      .filter(one => watched(before.get(String(one['session_id']))) !== watched(one))
      .map(one => String(one['session_id']))
  }
}

const WATCHED = ['evaluation', 'score', 'predicted_csat', 'present_signals'] as const

/** What of a call webhooks and alerts look at; of none there is nothing. */
const watched = (document: CallDocument | undefined): string | undefined =>
  document && JSON.stringify(WATCHED.map(name => plain(document[name]) ?? null))

/** A call's fields without what was said. */
function silenced(document: CallDocument): Record<string, unknown> {
  const without = (name: string, inner: string): unknown => {
    const items: unknown = document[name]
    if (!Array.isArray(items)) return null
    return items.map((item: object) => Object.fromEntries(Object.entries(item).filter(([key]) => key !== inner)))
  }
  return {
    transcript: null,
    recording_url: null,
    signals: without('signals', 'evidence'),
    guidance: without('guidance', 'evidence'),
    conditions: without('conditions', 'text'),
  }
}
