import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Db, type IndexDescription, MongoServerError } from 'mongodb'
import pRetry from 'p-retry'
import type { LimiterOf } from '../../admission/limiters.js'
import type { SpentStore } from '../../admission/shared-limits.js'
import type { Requester } from '../../admission/requester.js'
import type { NotReady } from '../../base/not-ready.js'
import type { ScopedPipeline } from '../../pipeline/index.js'
import { defaultRestBounds, type RestBounds } from '../rest-bounds.js'
import type { ActivityStore } from '../activity-store.js'
import type { AuditChainStore } from '../audit-chains.js'
import type { EventStore } from '../event-store.js'
import type { ImportStore } from '../import-store.js'
import type { Leases } from '../leases.js'
import type { KnowledgeStore } from '../knowledge-store.js'
import type { ModelAnswerStore } from '../model-answer-store.js'
import type { ModelBatchStore } from '../model-batch-store.js'
import type { MovedRows } from '../moved-rows.js'
import type { OAuthStore } from '../oauth-store.js'
import type { PrivacyStore } from '../privacy-store.js'
import { team, type TeamRecord } from '../records/team.js'
import type { ReportStore } from '../report-store.js'
import type { RubricStore } from '../rubric-store.js'
import type { SharedTurns } from '../shared-turns.js'
import type { EndedSessionStore, FingerprintStore, SharedExtras } from '../shared-extras.js'
import type { Shelf } from '../shelf.js'
import type {
  CallStore,
  CountStore,
  KeyStore,
  ProjectStore,
  Reading,
  RunOptions,
  RunPlan,
  RunResult,
  Store,
  StoreLoad,
} from '../store.js'
import type { TaskStore } from '../task-store.js'
import type { Versions } from '../versions.js'
import { CallWriter } from './call-writer.js'
import { inSentences, type Kept, MongoDatabase } from './mongodb-database.js'
import { type StoreConnection, versionOf } from './connect.js'
import { MongoKeys, MongoOAuth, MongoProjects } from './mongodb-access.js'
import { MongoAuditChains } from './mongodb-audit-chains.js'
import { MongoActivity } from './mongodb-activity.js'
import { MongoCalls } from './mongodb-calls.js'
import { DayList } from './counts/day-list.js'
import { MongoCounts } from './counts/mongodb-counts.js'
import { FencedDocuments } from './fenced-documents.js'
import { MongoImports, MongoKnowledge, MongoRubrics } from './mongodb-documents.js'
import { MongoEndedSessions } from './mongodb-ended-sessions.js'
import { MongoEvents } from './mongodb-events.js'
import { MongoLeases, type MongoLeasesOptions } from './mongodb-leases.js'
import { ERASED_IDS } from './erased-ids.js'
import { MongoFingerprints } from './mongodb-fingerprints.js'
import { mongoLimiters, MongoSpent, RATES } from './mongodb-limits.js'
import { MongoModelAnswers, MongoModelBatches } from './mongodb-models.js'
import { MongoMovedRows } from './mongodb-moved-rows.js'
import { MongoPipelines } from './mongodb-pipelines.js'
import { MongoPrivacy } from './mongodb-privacy.js'
import { MongoReader } from './mongodb-reader.js'
import { MongoReports } from './mongodb-reports.js'
import { MongoShelf } from './mongodb-records.js'
import { MongoTasks } from './mongodb-tasks.js'
import { MongoTurns } from './mongodb-turns.js'
import type { Names } from './native-expression.js'
import { probe } from './probe.js'
import { ProjectChanges } from './project-changes.js'
import { storeProblem } from './store-problem.js'
import { WriteLane } from './write-lane.js'

export interface MongoStoreOptions extends MongoLeasesOptions {
  /** What stages outside the server may take, where it is not the default. */
  readonly rest?: Partial<RestBounds> | undefined
}

/** What is found out of a server when its store is opened. */
interface Known {
  readonly secret: string
  readonly answered: Names
}

type Index = readonly string[]

/** Those of `calls` and `facts`. */
const INDEXES_OF_BOTH: readonly Index[] = [
  ['project_id', 'created_dt', 'session_id'],
  ['project_id', 'agent_name', 'created_dt'],
  ['project_id', 'write_number', 'session_id'],
]

/** The fields of each index, by collection; `_id` has one of its own. */
const INDEXES: Readonly<Record<string, readonly Index[]>> = {
  calls: [...INDEXES_OF_BOTH, ['project_id', 'place'], ['project_id', 'session_key'], ['project_id', 'recording_url']],
  facts: [
    ...INDEXES_OF_BOTH,
    ['project_id', 'present_signals', 'created_dt'],
    ['project_id', 'guidance_keys', 'created_dt'],
    ['project_id', 'score'],
    ['project_id', 'outcome_lift.lift'],
  ],
  event_deliveries: [
    ['seq'],
    ['write', 'state'],
    ['state', 'attempted_at'],
    ['webhook_id', 'state', 'seq'],
    ['project_id', 'webhook_id', 'seq'],
    ['project_id', 'subject'],
  ],
  feedback: [
    ['project_id', 'session_id'],
    ['project_id', 'feedback_id'],
    ['project_id', 'created_at', 'feedback_id'],
    ['project_id', 'judges', 'created_at', 'feedback_id'],
  ],
  noted_calls: [
    ['project_id', 'session_id'],
    ['project_id', '_id'],
  ],
  counted_days: [
    ['project_id', 'time_zone', 'from'],
    ['project_id', 'time_zone', 'kind', 'from'],
  ],
  day_counts: [
    ['project_id', 'of', 'by', 'day'],
    ['project_id', 'day'],
  ],
  project_writes: [['write']],
  inbound_taken: [['taken_at']],
  oauth_passing: [['grant'], ['expires_at'], ['kind', 'expires_at']],
  leases: [['by']],
  lease_waits: [['name', 'since']],
  activity: [['at'], ['written'], ['project_id', '_id'], ['project_id', 'at', '_id']],
  report_calls: [
    ['project_id', 'session_id'],
    ['project_id', 'file'],
  ],
  model_answers: [['project_id', 'session_id']],
  model_batches: [['project_id', 'created_at']],
  model_batch_calls: [
    ['project_id', 'session_id'],
    ['project_id', 'batch_id'],
  ],
}

/** Collections whose documents go at the time they name. */
const PASSING = {
  calls: 'vacant_until',
  facts: 'vacant_until',
  erased_calls: 'vacant_until',
  feedback: 'vacant_until',
  holds: 'vacant_until',
  model_answers: 'vacant_until',
  model_batches: 'vacant_until',
  model_batch_calls: 'vacant_until',
  noted_calls: 'vacant_until',
  report_calls: 'vacant_until',
  ended_sessions: 'until',
  leases: 'forgotten_at',
  day_spent: 'until',
  [RATES]: 'expire',
} as const

const TEAMS = {
  collection: 'teams',
  schema: team.stored,
  idOf: (record: TeamRecord) => record.team_id,
} as const

/** WriteConflict: of two requests that stood in each other's way, the one that gave way. */
const GAVE_WAY = 112
const INDEX_RETRIES = 8
const FIRST_INDEX_RETRY_MS = 50

/** Makes indexes that are not there yet; anew where processes that open a store at once stand in each other's way, as they do on DocumentDB. */
async function indexed(db: Db, collection: string, indexes: IndexDescription[]): Promise<void> {
  await pRetry(() => db.collection(collection).createIndexes(indexes), {
    retries: INDEX_RETRIES,
    minTimeout: FIRST_INDEX_RETRY_MS,
    randomize: true,
    shouldRetry: ({ error }) => error instanceof MongoServerError && error.code === GAVE_WAY,
  })
}

/**
 * What is kept on a MongoDB server, for as many processes as there are. Writes of several steps come one after the other in each
 * project (`WriteLane`); what processes keep in memory they follow by versions.
 */
export class MongoStore implements Store, SharedExtras {
  readonly calls: CallStore
  readonly counts: CountStore
  readonly privacy: PrivacyStore
  readonly keys: KeyStore
  readonly projects: ProjectStore
  readonly teams: Shelf<TeamRecord>
  readonly oauth: OAuthStore
  readonly knowledge: KnowledgeStore
  readonly tasks: TaskStore
  readonly events: EventStore
  readonly rubrics: RubricStore
  readonly imports: ImportStore
  readonly activity: ActivityStore
  readonly reports: ReportStore
  readonly modelAnswers: ModelAnswerStore
  readonly modelBatches: ModelBatchStore
  readonly moved: MovedRows
  readonly leases: Leases
  readonly turns: SharedTurns
  readonly versions: Versions
  readonly #held: MongoLeases
  readonly fingerprints: FingerprintStore
  readonly limiterOf: LimiterOf
  readonly spent: SpentStore
  readonly auditChains: AuditChainStore
  readonly endedSessions: EndedSessionStore
  readonly #connection: StoreConnection
  readonly #lane: WriteLane
  readonly #changes: ProjectChanges
  readonly #reader: MongoReader
  readonly #pipelines: MongoPipelines
  #bytes = 0
  #closing: Promise<void> | undefined

  /** What its server does as MongoDB does; all else is evaluated here. */
  readonly answered: Names

  private constructor(connection: StoreConnection, known: Known, options: MongoStoreOptions) {
    const { secret, answered } = known
    const { db, where } = connection
    this.#connection = connection
    this.#reader = new MongoReader(connection)
    this.#pipelines = new MongoPipelines(this.#reader, { ...defaultRestBounds, ...options.rest }, answered)
    this.answered = answered
    // The keyed hash an erased id is remembered by; no project has a colon in it.
    const tombstone = (projectId: string, sessionId: string): string =>
      `${projectId}:${createHash('sha256').update(`${secret}:${projectId}:${sessionId}`).digest('hex')}`
    const database = new MongoDatabase(db)
    this.#held = new MongoLeases(connection, options)
    const lane = new WriteLane(database, this.#held)
    const documents = new FencedDocuments(database, lane)
    const privacy = new MongoPrivacy(database, lane, documents)
    const events = new MongoEvents(database, lane, documents)
    const days = new DayList(database)
    this.#changes = new ProjectChanges(database)
    const writer = new CallWriter({
      database,
      lane,
      documents,
      days,
      changes: this.#changes,
      tombstone,
      noted: () => events.noted.tell(),
    })
    this.#lane = lane
    this.privacy = inSentences(privacy, where)
    this.calls = inSentences(new MongoCalls({ database, writer, tombstone, privacy }), where)
    this.keys = inSentences(new MongoKeys(database), where)
    this.projects = inSentences(new MongoProjects(database), where)
    this.teams = inSentences(new MongoShelf<TeamRecord>(database, TEAMS), where)
    this.oauth = inSentences(new MongoOAuth(database), where)
    this.knowledge = inSentences(new MongoKnowledge(database), where)
    this.tasks = inSentences(new MongoTasks(database), where)
    this.events = inSentences(events, where)
    this.rubrics = inSentences(new MongoRubrics(database), where)
    this.imports = inSentences(new MongoImports(database), where)
    this.activity = inSentences(new MongoActivity(this.#reader), where)
    this.reports = inSentences(new MongoReports(database, lane, documents), where)
    this.modelAnswers = inSentences(new MongoModelAnswers(database, lane, documents), where)
    this.modelBatches = inSentences(new MongoModelBatches(database, lane, documents), where)
    this.moved = inSentences(new MongoMovedRows(database), where)
    this.leases = inSentences(this.#held, where)
    this.turns = inSentences(new MongoTurns(database, this.#held), where)
    this.versions = inSentences(database.versions, where)
    this.auditChains = inSentences(new MongoAuditChains(database), where)
    this.endedSessions = inSentences(new MongoEndedSessions(database), where)
    this.limiterOf = mongoLimiters(db)
    this.spent = inSentences(new MongoSpent(database), where)
    this.fingerprints = inSentences(new MongoFingerprints(database), where)
    this.counts = inSentences(
      new MongoCounts({ database, writer, changes: this.#changes, pipelines: this.#pipelines, days }),
      where,
    )
  }

  /** Whether a store was begun there. */
  static async isBegun({ db }: StoreConnection): Promise<boolean> {
    return (await db.collection<Kept>('secrets').findOne(ERASED_IDS, { projection: { _id: 1 } })) !== null
  }

  /** Makes what is not there yet: indexes, and the secret that erased ids are hashed with. */
  static async open(connection: StoreConnection, options: MongoStoreOptions = {}): Promise<MongoStore> {
    const { db } = connection
    for (const [name, indexes] of Object.entries(INDEXES)) {
      const keys = indexes.map(fields => ({ key: Object.fromEntries(fields.map(field => [field, 1])) }))
      // oxlint-disable-next-line no-await-in-loop -- one collection after the other
      await indexed(db, name, keys)
    }
    for (const [name, field] of Object.entries(PASSING)) {
      // oxlint-disable-next-line no-await-in-loop -- one collection after the other
      await indexed(db, name, [{ key: { [field]: 1 }, expireAfterSeconds: 0, sparse: true }])
    }
    // Two that count the first request of a key at once count one key.
    await indexed(db, RATES, [{ key: { key: 1 }, unique: true }])
    const begin = () =>
      db
        .collection<Kept>('secrets')
        .findOneAndUpdate(
          ERASED_IDS,
          { $setOnInsert: { secret: randomBytes(32).toString('hex') } },
          { upsert: true, returnDocument: 'after' },
        )
    // Of two that begin it at once one may be told that it is there.
    const made = await begin().catch(begin)
    const store = new MongoStore(
      connection,
      { secret: String(made?.['secret']), answered: await probe(db, await versionOf(db)) },
      options,
    )
    await store.#lane.start()
    store.#changes.start()
    return store
  }

  run(scoped: ScopedPipeline, options: RunOptions): Promise<RunResult> {
    return this.#pipelines.run(scoped, options)
  }

  stream(reading: Reading, requester: Requester, signal?: AbortSignal): Readable {
    return this.#pipelines.stream(reading, requester, signal)
  }

  plan(scoped: ScopedPipeline): RunPlan {
    return this.#pipelines.plan(scoped)
  }

  load(): StoreLoad {
    return { lanes: this.#reader.load, bytes: this.#bytes, remembered: { given: 0, found: 0, bytes: 0 } }
  }

  notReady(): NotReady | undefined {
    return undefined
  }

  async ping(): Promise<void> {
    const { db, where } = this.#connection
    // A document of the store, not a constant: that its server may be read.
    await MongoStore.isBegun(this.#connection).catch((error: unknown) => {
      throw storeProblem(error, where)
    })
    const stats = await db.command({ dbStats: 1 }).catch(() => ({}))
    this.#bytes = Number('storageSize' in stats ? stats['storageSize'] : 0)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#reader.close()
    try {
      await this.#pipelines.close()
      this.#changes.close()
      await this.#lane.close()
      await this.#held.close()
    } finally {
      await this.#connection.client.close()
    }
  }
}
