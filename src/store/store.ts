import type { ImportStore } from './import-store.js'
import type { Readable } from 'node:stream'
import type { Requester } from '../admission/requester.js'
import type { NotReady } from '../base/not-ready.js'
import type { Document, ScopedCounts, ScopedPipeline } from '../pipeline/index.js'
import type { ActivityStore, ActivityTable } from './activity-store.js'
import type { TimeLeft } from './deadline.js'
import type { EventStore } from './event-store.js'
import type { KnowledgeStore } from './knowledge-store.js'
import type { Leases } from './leases.js'
import type { LightBudget } from './light-budget.js'
import type { LiftStore } from './lift-store.js'
import type { ModelBatchStore } from './model-batch-store.js'
import type { ModelAnswerStore } from './model-answer-store.js'
import type { MovedRows } from './moved-rows.js'
import type { PrivacyStore } from './privacy-store.js'
import type { ErasureRecord } from './records/hold.js'
import type { KeyRecord } from './records/key.js'
import type { ProjectRecord } from './records/project.js'
import type { TeamRecord } from './records/team.js'
import type { OAuthStore } from './oauth-store.js'
import type { ReportStore } from './report-store.js'
import type { RubricStore } from './rubric-store.js'
import type { SharedTurns } from './shared-turns.js'
import type { Shelf } from './shelf.js'
import type { TaskStore } from './task-store.js'
import type { Versions } from './versions.js'

/** Which lane a query waits in: light ones never queue behind heavy ones. */
export type Lane = 'light' | 'heavy'

export interface RunOptions extends TimeLeft {
  readonly lane: Lane
  /** Whose turn it is within the project, where several wait; absent = nobody's in particular. */
  readonly key?: string
  /**
   * For the light lane: rejects with BudgetSpent where the engine needs longer, or where stages have to run outside it.
   * Absent = until the deadline.
   */
  readonly budget?: LightBudget
  /** Hears for how many milliseconds the engine worked on it outside the light lane, waiting not counted. */
  readonly worked?: ((milliseconds: number) => void) | undefined
  /** Most documents that come back; one more is fetched to know whether there were more. */
  readonly maxDocuments: number
  /**
   * Most bytes of JSON that the documents have at least; what goes beyond stays away, as do all after it. A single
   * document that is larger is a Problem. Absent = no bound.
   */
  readonly maxBytes?: number
  /** It soon ends with the documents that are wanted: reading texts until then takes less than looking words up. */
  readonly endsEarly?: true
  /** Nobody asks the same again: what is found is not kept. */
  readonly once?: true
}

export interface RunResult {
  readonly documents: readonly Document[]
  /** More documents existed than came back. */
  readonly truncated: boolean
  readonly plan: RunPlan
}

/** How many stages ran in the engine, and how many were evaluated over what it returned. */
export interface RunPlan {
  readonly engine_stages: number
  readonly evaluated_stages: number
  /** The operator or field that kept the first of those out of the engine, where one did. */
  readonly kept_out?: string | undefined
}

/** Calls that a store writes together best; a batch of fewer or more is written as well. */
export const BATCH_CALLS = 2_048

/** What tells whether a stored call is the one whose id was made of the place of its file. */
export interface PlacedId {
  /** Start of the call, milliseconds since 1970. */
  readonly began: number
  /** SHA-256 of what its turns say, joined by line feeds, in hex; absent without a transcript. */
  readonly words?: string | undefined
  /** The bare name of the file, by which earlier versions called it; absent where it is the id. */
  readonly bare?: string | undefined
}

/** A checked call record on its way into a store, as the JSON text the stores read. */
export interface PreparedCall {
  readonly session_id: string
  readonly agent_id: string
  readonly agent_name: string
  /** The record as JSON, validated and normalised; as bytes in UTF-8. Of the ids, those beside it count. */
  readonly json: string | Uint8Array
  /**
   * Its id is that of a file: a call that is stored under it is replaced where it is the same call, and kept where it is
   * another one; the same call under the bare name becomes this one.
   */
  readonly placed?: PlacedId
}

export interface UnkeptCall {
  readonly session_id: string
  /** What of it can't be kept: a sentence without its subject, which is the call. */
  readonly why: string
}

export interface UpsertResult {
  readonly stored: number
  /** Of these, the ones that replaced a call already there. */
  readonly replaced: number
  /** Ids refused because the call was erased on request. */
  readonly erased: readonly string[]
  /** Ids of files refused because another call is stored under them. */
  readonly taken: readonly string[]
  /** Ids refused because a legal hold keeps the call that is stored as it is. */
  readonly held: readonly string[]
  /** Calls refused because this store can't keep them, which another could. */
  readonly unkept: readonly UnkeptCall[]
  /** Ids of files stored although their bare name is that of another stored call: it may be an earlier copy of them. */
  readonly besideBare: readonly string[]
}

/** What an upsert would come to, by session_id. */
export interface UpsertPreview extends Pick<UpsertResult, 'erased' | 'taken' | 'held' | 'besideBare'> {
  readonly replaced: readonly string[]
}

/** A call as a preview asks for it. */
export interface PreviewedCall extends Pick<PreparedCall, 'session_id' | 'agent_name'> {
  readonly placed?: PlacedId | undefined
}

/** What the log of erasures says of one, beside when and how many. */
export interface ErasureNote extends Pick<ErasureRecord, 'how'> {
  readonly by: string
}

export interface OlderOptions {
  readonly limit: number
  /** Only calls of which something said is kept; see `eraseTranscripts`. */
  readonly withTranscript?: boolean
}

/** Which calls an evaluation is to read. */
export interface EvaluationChoice {
  /**
   * pending: not evaluated yet, and without a score or signals of their own. stale: these, and those we evaluated by
   * another rubric or version. all: pending ones and all we evaluated. everything: those evaluated elsewhere too.
   */
  readonly which: 'pending' | 'stale' | 'all' | 'everything'
  /** The rubric that evaluates. */
  readonly rubric: string
  readonly rubricVersion: string
  /** Milliseconds since 1970: what we evaluated from then on is done. */
  readonly before: number
  /** Only so many, the same ones each time they are chosen from the same calls; absent = as many as there are. */
  readonly sample?: number | undefined
  /** Of these only; absent = of all. */
  readonly only?: readonly string[] | undefined
}

/** Calls chosen for an evaluation; opaque but for their number. */
export interface CallsToEvaluate {
  readonly choice: EvaluationChoice
  readonly count: number
  readonly first: bigint
  /** Calls written later lie beyond it. */
  readonly last: bigint
  readonly lastKey: bigint | undefined
}

export interface CallToEvaluate {
  readonly session_id: string
  /** What an evaluation reads of the record, as JSON; unknown fields are null. */
  readonly json: string
  /** Stands for what was read: an evaluation is written only while it is still so. */
  readonly seen: string
  /** Number of the write that put the call where it stands: it is looked for nowhere else. */
  readonly write: bigint
}

export interface EvaluationPage {
  readonly calls: readonly CallToEvaluate[]
  /** Where the next page begins; absent at the end. */
  readonly next: bigint | undefined
}

export interface EvaluatedCall extends Pick<CallToEvaluate, 'session_id' | 'seen' | 'write'> {
  /** The evaluated fields as JSON, checked; what is not there is unknown from then on. */
  readonly json: string
}

export interface EvaluationStore {
  chooseToEvaluate(projectId: string, choice: EvaluationChoice): Promise<CallsToEvaluate>
  /** Some of the chosen calls that are still to be evaluated; may be none although there are more. */
  toEvaluate(projectId: string, chosen: CallsToEvaluate, from: bigint): Promise<EvaluationPage>
  /**
   * Writes the evaluated fields of calls and what is derived from them; their outcome lift is gone. Durable when it
   * resolves. Gives back how many were written: not those that were replaced, evaluated or erased meanwhile.
   */
  writeEvaluations(projectId: string, calls: readonly EvaluatedCall[]): Promise<number>
}

/** A place in the order in which calls were written. */
export interface WrittenPlace {
  readonly write: bigint
  readonly session_id: string
}

/** A call whose texts are looked at, or written anew. */
export interface StoredTexts extends WrittenPlace {
  /** The fields that may hold personal data and what masking reads beside, as JSON; unknown fields are null. */
  readonly json: string
}

export interface RedactionStore {
  /** Calls of a project now, and the last write among them: what comes later is not looked at. */
  countTexts(projectId: string): Promise<{ readonly count: number; readonly last: bigint }>
  /** Calls after a place and up to a write, in the order in which they were written; none at the end. */
  texts(projectId: string, after: WrittenPlace | undefined, last: bigint): Promise<readonly StoredTexts[]>
  /**
   * Writes texts of calls and what is derived from them, of those that are still as they were read and under no legal hold.
   * Durable when it resolves. Gives back the ids of those that were written.
   */
  writeTexts(projectId: string, calls: readonly StoredTexts[]): Promise<readonly string[]>
}

export interface CallStore extends EvaluationStore, LiftStore, RedactionStore {
  /** Writes calls of one project; durable when it resolves. Of equal ids in one batch the last one wins. */
  upsert(
    projectId: string,
    calls: readonly PreparedCall[],
    options?: { restoreErased?: boolean },
  ): Promise<UpsertResult>
  /** What `upsert` would come to; nothing is written. */
  preview(
    projectId: string,
    calls: readonly PreviewedCall[],
    options?: { restoreErased?: boolean },
  ): Promise<UpsertPreview>
  /** Erases one call for good, as `eraseAll` does; `false` when it was not there. */
  erase(projectId: string, sessionId: string): Promise<boolean>
  /**
   * Erases many at once, all or none, and with them everything else kept about them: feedback, notes, deliveries in any
   * state, and which reports name them. What a hold keeps stays. Gives back how many are gone; that so many are is noted
   * with it. Durable when it resolves.
   */
  eraseAll(projectId: string, sessionIds: readonly string[], note?: ErasureNote): Promise<number>
  /** Takes out what was said, but of calls that a hold keeps: transcripts, where recordings are, quotes from them, texts of conditions. Gives back how many calls had any. */
  eraseTranscripts(projectId: string, sessionIds: readonly string[]): Promise<number>
  /** Where the recordings of these calls are, but for those that another call of the project has too. */
  recordingsOfOnly(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]>
  /** Ids of calls that began before an instant (milliseconds since 1970) and that no hold keeps, oldest first. */
  olderThan(projectId: string, before: number, options: OlderOptions): Promise<readonly string[]>
  /** `language_primary` of calls by their ids: of those that are there and say one. */
  languages(projectId: string, sessionIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The agents of a project by agent_id; what a default agent_id may not collide with. */
  agentIds(projectId: string): Promise<ReadonlyMap<string, string>>
}

/** How what is kept beside calls is made. */
export interface MakingOptions {
  readonly signal?: AbortSignal
  /** Hears how much was made so far, and how much is left, where that is known. */
  readonly progress?: (done: { readonly made: number; readonly left?: number }) => void
}

/**
 * Counts of calls, which pipelines add up: see `narrowCounts`. A store keeps those of whole days and reads the calls of all
 * others; whoever asks can't tell which, and the answer is the same. What is kept is made behind the writes, by `countDays`.
 */
export interface CountStore {
  /** Whether what was found of counted days alone is given again for as long as these stay as they are. */
  readonly keepsSettled: boolean
  /** Runs a pipeline over counts; the engine has to run it whole. */
  run(scoped: ScopedCounts, options: RunOptions): Promise<RunResult>
  /** A number that grows when a change of calls of a project begins, and when one ends; from when the store was opened. */
  changes(projectId: string): number
  /**
   * Counts the days of a project that are not counted, by the days of a zone; those of another zone go. Other writes come
   * between. Resolves when there are none left or the signal ends it, with how many days were counted.
   */
  countDays(projectId: string, timeZone: string, options?: MakingOptions): Promise<number>
}

/** Which words are in which calls, by which searches in texts find them: whoever asks can't tell, and the answer is the same. */
export interface WordStore {
  /** Indexes calls of a project that are not, behind the writes. Resolves with how many, when few are left or the signal ends it. */
  indexWords(projectId: string, options?: MakingOptions): Promise<number>
}

/** Where single calls stand, for who asks for one by its id: whoever asks can't tell, and the answer is the same. */
export interface SessionIndex {
  /** Indexes calls of a project that are not, behind the writes. Resolves with how many, when few are left or the signal ends it. */
  indexSessions(projectId: string, options?: MakingOptions): Promise<number>
}

export interface KeyStore {
  insert(key: KeyRecord): Promise<void>
  /** Replaces the key of the same key_id. */
  update(key: KeyRecord): Promise<void>
  /** Every key of the installation, for the in-memory cache of access/. */
  all(): Promise<readonly KeyRecord[]>
  touch(lastUsed: ReadonlyMap<string, string>): Promise<void>
}

export interface ProjectStore {
  insert(project: ProjectRecord): Promise<void>
  update(project: ProjectRecord): Promise<void>
  all(): Promise<readonly ProjectRecord[]>
}

/** How busy a store is, and how much room it takes on disk. */
export interface StoreLoad {
  readonly lanes: Readonly<Record<Lane, LaneLoad>>
  readonly bytes: number
  readonly remembered: RememberedLoad
}

/** What a store did with results it keeps to give them again; see RememberedAnswers. */
export interface RememberedLoad {
  /** Results that were given again, and that had to be found. */
  readonly given: number
  readonly found: number
  /** Kept at the moment, as JSON. */
  readonly bytes: number
}

export interface LaneLoad {
  readonly running: number
  readonly waiting: number
}

/**
 * A store as of one instant, whose file is held: so many bytes of it hold everything that was acknowledged by then, and stay as
 * they are. What is written meanwhile goes behind them and into the log.
 */
export interface HeldStore {
  /**
   * Its file in the data directory. This process must not open it: closing a descriptor on it would drop the engine's
   * lock, and a second process could then write.
   */
  readonly file: { readonly name: string; readonly bytes: number }
  /** The record of acknowledged writes that belongs to it. */
  readonly record: { readonly name: string; readonly text: string }
  /** When writing stood still for it: what was acknowledged before is in it, and nothing that came later. */
  readonly at: Date
  /** How long writing stood still for it, milliseconds. */
  readonly pausedMs: number
  /** Version of its tables. */
  readonly version: number
  /** Rows of each table. */
  readonly counts: Readonly<Record<string, number>>
}

/** What only a store of this process has, in files of its data directory: one of many machines is backed up by its engine. */
export interface EmbeddedExtras {
  /** What questions count, as a copy of the trail's files. */
  readonly activity: ActivityTable
  /**
   * Holds the store's file as it is while work runs. Reading and writing go on; writing waits where the log has grown long, and what
   * folds the log into the file (an erasure) waits for the end.
   */
  hold<T>(work: (held: HeldStore) => Promise<T>): Promise<T>
}

/** Reads pipelines one after the other, each to its end before the next, and gives documents of what they said. */
export type Reading = (
  read: (pipeline: ScopedPipeline) => AsyncIterable<readonly Document[]>,
) => AsyncIterable<readonly Document[]>

/** What every store offers. It runs pipelines that were guarded and narrowed, looks records up and writes them. */
export interface Store {
  readonly calls: CallStore
  readonly counts: CountStore
  /** Absent: every search in texts reads them. */
  readonly words?: WordStore
  /** Absent: it has an index of its own. */
  readonly sessions?: SessionIndex
  readonly keys: KeyStore
  readonly privacy: PrivacyStore
  readonly teams: Shelf<TeamRecord>
  readonly oauth: OAuthStore
  readonly projects: ProjectStore
  readonly activity: ActivityStore
  readonly knowledge: KnowledgeStore
  readonly tasks: TaskStore
  readonly events: EventStore
  readonly rubrics: RubricStore
  readonly reports: ReportStore
  readonly modelAnswers: ModelAnswerStore
  readonly modelBatches: ModelBatchStore
  readonly moved: MovedRows
  readonly imports: ImportStore
  /** What processes that share it do alone, in turns, and tell each other of. */
  readonly leases: Leases
  readonly turns: SharedTurns
  readonly versions: Versions
  run(pipeline: ScopedPipeline, options: RunOptions): Promise<RunResult>
  /**
   * What a reading of pipelines of ours, which the engine runs whole, comes to: a stream of arrays of documents, as its
   * reader takes them, all of one instant. Whoever opens it reads it to its end or destroys it. Projects take turns.
   */
  stream(reading: Reading, requester: Requester, signal?: AbortSignal): Readable
  /** Where the stages would run; nothing is run. What only a call's value tells is found out by `run` alone. */
  plan(pipeline: ScopedPipeline): RunPlan
  /** What it is doing at this instant, for the metrics; asks the store nothing. */
  load(): StoreLoad
  /** Why the store can't be read or written at the moment, as far as it knows; asks it nothing. */
  notReady(): NotReady | undefined
  /** Rejects when the store does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
