import { type Document as BsonDocument, Double, Long } from 'bson'
import { RE2JS } from 're2js'
import { otherWork } from '../../base/other-work.js'
import type { CallRecord } from '../../calls/call-record.js'
import {
  type AlikeCalls,
  LIFT_STATES,
  liftTurn,
  type LiftCall,
  type LiftPage,
  type LiftQuery,
  type LiftSeen,
  type LiftStore,
  type PlacedLift,
} from '../lift-store.js'
import { liftFit, type LiftFitRecord } from '../records/lift-fit.js'
import { BATCH_CALLS } from '../store.js'
import { byBytes, type CallDocument, idOf, longOf, plain, withFields } from './call-document.js'
import type { CallWriter } from './call-writer.js'
import { type MongoDatabase, unlessTakenOver, upTo } from './mongodb-database.js'

/** See LiftCall. */
const FIRST = 0x100
/** Longest value of an outcome field that is looked at, in characters. */
const OUTCOME_CHARACTERS = 200
/** Parts that calls are told apart in to be compared with those not fitted on. */
const FOLDS = 5n
/** Work in this thread before others get their turn, in milliseconds. */
const TURN_MS = 2
/** Alike calls that are handed on together. */
const SOME = 2_048

/** What is read of a call. */
const READ = {
  session_id: 1,
  session_key: 1,
  place: 1,
  agent_id: 1,
  agent_name: 1,
  interaction_driver: 1,
  interaction_direction: 1,
  'signals.key': 1,
  'signals.state': 1,
  'conditions.key': 1,
  'conditions.text': 1,
  evaluation: 1,
  outcome_lift: 1,
} as const

const oursOf = (projectId: string, { evaluator }: Pick<LiftQuery, 'evaluator'>) => ({
  project_id: projectId,
  'evaluation.evaluator': evaluator,
})

const rubricOf = ({ rubric, rubricVersion }: LiftQuery) => ({
  'evaluation.rubric': rubric,
  'evaluation.rubric_version': rubricVersion,
})

/** Calls that are compared with each other: all by the rubric, or those whose outcome was predicted. */
function comparedOf(projectId: string, query: LiftQuery): BsonDocument {
  const [predicted] = query.parts
  return {
    ...oursOf(projectId, query),
    ...rubricOf(query),
    ...(query.outcomeField === undefined && { 'conditions.key': predicted ?? { $in: [] } }),
  }
}

const keyOf = (document: CallDocument): bigint => BigInt.asUintN(64, longOf(document['session_key']))
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const itemsOf = (value: unknown): readonly BsonDocument[] => (Array.isArray(value) ? (value as BsonDocument[]) : [])

/** When a call was evaluated, microseconds since 1970; -1 where that is not known. */
function evaluatedAt(document: CallDocument): bigint {
  const at: unknown = (document['evaluation'] as BsonDocument | undefined)?.['evaluated_at']
  return at instanceof Date ? BigInt(at.getTime()) * 1_000n : -1n
}

/** Hands out what outcome lift is fitted on, and writes what came of it. */
export class MongoLifts implements LiftStore {
  readonly #database: MongoDatabase
  readonly #writer: CallWriter

  constructor(database: MongoDatabase, writer: CallWriter) {
    this.#database = database
    this.#writer = writer
  }

  async countLiftCalls(projectId: string, query: LiftQuery, signal?: AbortSignal): Promise<number> {
    return await this.#writer.calls.countDocuments(comparedOf(projectId, query), { ...(signal && { signal }) })
  }

  async *alikeCalls(
    projectId: string,
    query: LiftQuery,
    parts: number,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly AlikeCalls[]> {
    const look = lookBy(query)
    const filter = { ...comparedOf(projectId, query), id_hash: { $lt: parts } }
    const alike = new Map<string, AlikeCalls>()
    for await (const document of this.#read(filter, query, signal)) {
      const found = look(document)
      const name = JSON.stringify(found)
      const before = alike.get(name)
      const key = keyOf(document)
      alike.set(name, { ...found, calls: (before?.calls ?? 0) + 1, keys: (before?.keys ?? 0n) ^ key })
    }
    const sorted = [...alike.values()].toSorted(inOrder)
    for (let at = 0; at < sorted.length; at += SOME) yield sorted.slice(at, at + SOME)
  }

  async *liftPages(projectId: string, query: LiftQuery, signal?: AbortSignal): AsyncGenerator<LiftPage> {
    const look = lookBy(query)
    const [predicted] = query.parts
    let from = -1n
    for (;;) {
      const filter = { ...oursOf(projectId, query), place: { $gte: Long.fromBigInt(from) } }
      const documents: CallDocument[] = []
      // oxlint-disable-next-line no-await-in-loop -- pages come one after the other
      for await (const document of this.#read(filter, query, signal, BATCH_CALLS)) documents.push(document)
      const end = documents.at(-1)
      if (end === undefined) return
      const to = longOf(end['place'])
      const calls = documents.flatMap((document): LiftCall[] => {
        const { rubric, rubric_version: version } = document['evaluation'] as BsonDocument
        const compared =
          rubric === query.rubric &&
          version === query.rubricVersion &&
          (query.outcomeField !== undefined || itemsOf(document['conditions']).some(({ key }) => key === predicted))
        const lift = plain(document['outcome_lift']) as CallRecord['outcome_lift']
        if (!compared && lift === undefined) return []
        const { driver, direction, states, fold } = look(document)
        return [
          {
            place: { key: keyOf(document), evaluated: evaluatedAt(document) },
            seen: compared ? { driver, direction, states, fold } : undefined,
            lift,
          },
        ]
      })
      yield { from, to, calls }
      if (documents.length < BATCH_CALLS) return
      from = to + 1n
    }
  }

  async writeLifts(
    projectId: string,
    query: LiftQuery,
    { from, to }: Pick<LiftPage, 'from' | 'to'>,
    lifts: readonly PlacedLift[],
  ): Promise<number> {
    if (lifts.length === 0) return 0
    return await this.#writer.writing(projectId, async () => {
      await this.#fence(projectId, query.evaluator)
      const wanted = new Map(lifts.map(one => [one.place.key, one]))
      const keys = [...wanted.keys()].map(key => Long.fromBigInt(BigInt.asIntN(64, key)))
      const found = await this.#writer
        .find({
          ...oursOf(projectId, query),
          session_key: { $in: keys },
          place: { $gte: Long.fromBigInt(from), $lte: Long.fromBigInt(to) },
        })
        .toArray()
      const put = found.flatMap((document): CallDocument[] => {
        const placed = wanted.get(keyOf(document))
        if (placed === undefined || placed.place.evaluated !== evaluatedAt(document)) return []
        const { rubric, rubric_version: version } = document['evaluation'] as BsonDocument
        if (placed.lift !== undefined && (rubric !== query.rubric || version !== query.rubricVersion)) return []
        // Written in its place and under its number: nothing else of it is another.
        const written = { place: longOf(document['place']), write: Number(document['write_number']) }
        return [
          withFields(document, { outcome_lift: placed.lift === undefined ? null : typedLift(placed.lift) }, written),
        ]
      })
      const { write } = await this.#writer.number(0)
      await this.#writer.apply(projectId, write, { put })
      return put.length
    })
  }

  async liftFits(projectId: string): Promise<readonly LiftFitRecord[]> {
    const found = await this.#database
      .reading('lift_fits')
      .find({ project_id: projectId }, { sort: { evaluator: -1 } })
      .toArray()
    return found.map(one => liftFit.parse(JSON.parse(String(one['record']))))
  }

  async writeLiftFit(projectId: string, fit: LiftFitRecord): Promise<void> {
    const { evaluator } = fit
    await this.#writer.writing(projectId, async () => {
      const kept = { project_id: projectId, evaluator, record: JSON.stringify(fit) }
      const [_id, fence] = [idOf(projectId, evaluator), this.#database.fenceOf(liftTurn(projectId))]
      const written =
        fence === undefined
          ? this.#fits.replaceOne({ _id }, kept, { upsert: true })
          : this.#fits.replaceOne({ _id, ...upTo(fence) }, { ...kept, fence }, { upsert: true })
      await unlessTakenOver(written)
    })
  }

  /**
   * Where this is done in the project's turn, has what is written in turns before refused. In the lane: what one of those is writing is written
   * before.
   */
  async #fence(projectId: string, evaluator: LiftQuery['evaluator']): Promise<void> {
    const fence = this.#database.fenceOf(liftTurn(projectId))
    if (fence === undefined) return
    const ours = { _id: idOf(projectId, evaluator), ...upTo(fence) }
    await unlessTakenOver(this.#fits.updateOne(ours, { $set: { fence } }, { upsert: true }))
  }

  get #fits() {
    return this.#database.writing('lift_fits')
  }

  /** Calls in the order in which they were written, in turns with other work. */
  async *#read(
    filter: BsonDocument,
    { outcomeField }: LiftQuery,
    signal: AbortSignal | undefined,
    limit = 0,
  ): AsyncGenerator<CallDocument> {
    const projection = { ...READ, ...(outcomeField !== undefined && { session_metadata: 1 }) }
    const cursor = this.#writer.find(filter, {
      projection,
      sort: { place: 1 },
      limit,
      ...(signal && { signal }),
    })
    let began = performance.now()
    for await (const document of cursor) {
      yield document
      if (performance.now() - began < TURN_MS) continue
      await otherWork()
      began = performance.now()
    }
  }
}

const typedLift = (lift: NonNullable<PlacedLift['lift']>) => ({
  lift: new Double(lift.lift),
  ...(lift.lift_band !== undefined && { lift_band: lift.lift_band }),
  p_behavioral: new Double(lift.p_behavioral),
  p_context: new Double(lift.p_context),
})

type Looked = LiftSeen & Pick<AlikeCalls, 'agent' | 'outcome' | 'parts'>

/** What is looked at of a call, as a query asks. */
function lookBy(query: LiftQuery): (document: CallDocument) => Looked {
  const signals = new Map(query.signals.map((key, i) => [key, i]))
  const parts = new Map(query.parts.map((key, i) => [key, i]))
  const times = RE2JS.compile(query.times)
  const timesIn = (text: unknown): string => {
    const matcher = times.matcher(typeof text === 'string' ? text : '')
    return matcher.find() ? (matcher.group(1) ?? '') : ''
  }
  return document => {
    const states = itemsOf(document['signals']).flatMap(({ key, state }) => {
      const number = signals.get(String(key))
      const code = LIFT_STATES[state as keyof typeof LIFT_STATES]
      return number === undefined ? [] : [String.fromCodePoint(FIRST + 4 * number + code)]
    })
    const counted = itemsOf(document['conditions']).flatMap(({ key, text }) => {
      const number = parts.get(String(key))
      return number === undefined ? [] : [`${String.fromCodePoint(FIRST + number)}${timesIn(text)}`]
    })
    const metadata = (document['session_metadata'] ?? {}) as BsonDocument
    const { outcomeField: field } = query
    const outcome =
      field === undefined || !Object.hasOwn(metadata, field) ? undefined : JSON.stringify(plain(metadata[field]))
    return {
      driver: textOf(document['interaction_driver']),
      direction: textOf(document['interaction_direction']),
      states: states.toSorted(byBytes).join(''),
      fold: Number(keyOf(document) % FOLDS),
      agent: JSON.stringify([document['agent_id'] ?? null, document['agent_name']]),
      outcome: outcome?.slice(0, OUTCOME_CHARACTERS),
      parts: counted.toSorted(byBytes).join(''),
    }
  }
}

/** Unknown behind all that is known, as the embedded engine sorts. */
function byText(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0
  if (a === undefined) return 1
  return b === undefined ? -1 : byBytes(a, b)
}

const inOrder = (a: AlikeCalls, b: AlikeCalls): number =>
  byText(a.driver, b.driver) ||
  byText(a.direction, b.direction) ||
  byText(a.states, b.states) ||
  byText(a.agent, b.agent) ||
  a.fold - b.fold ||
  byText(a.outcome, b.outcome) ||
  byText(a.parts, b.parts)
