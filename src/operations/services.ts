import type { Approvals } from '../access/approvals.js'
import type { Caller } from '../access/caller.js'
import type { CallerCursors } from '../access/cursor-seal.js'
import type { Keys } from '../access/keys.js'
import type { Projects } from '../access/projects.js'
import type { Teams } from '../access/teams.js'
import type { Admission } from '../admission/admission.js'
import type { Threads } from '../admission/threads.js'
import type { NotReady } from '../base/not-ready.js'
import type { BackupOptions, BackupReport } from '../backup/create-backup.js'
import type { ModelRuns } from '../evaluation/run/model-runs.js'
import type { Rubrics } from '../evaluation/rubrics.js'
import type { Events } from '../events/events.js'
import type { ErasureParts } from '../ingest/erase-calls.js'
import type { FeedbackIntake } from '../ingest/feedback-intake.js'
import type { InboundWebhooks } from '../ingest/inbound/inbound-webhooks.js'
import type { SavedMappings } from '../ingest/mapping/saved-mappings.js'
import type { Recordings } from '../ingest/recordings.js'
import type { ImportMeter } from '../metrics/import-meter.js'
import type { Connections } from '../oauth/connections.js'
import type { Answering } from '../questions/answering.js'
import type { TableExports } from '../questions/export/table-exports.js'
import type { KnowledgeBases } from '../questions/knowledge/knowledge-bases.js'
import type { Store } from '../store/store.js'
import type { TaskScheduler } from '../tasks/task-scheduler.js'
import type { Tasks } from '../tasks/tasks.js'
import type { FrameLimits } from './import-frames.js'

/** What operations work with: the parts of a running service, or of a command that holds the store itself. */
export interface Services {
  readonly keys: Pick<
    Keys,
    | 'mint'
    | 'list'
    | 'getByNow'
    | 'patch'
    | 'revoke'
    | 'rotate'
    | 'callerOf'
    | 'admit'
    | 'invite'
    | 'changedBy'
    | 'acceptedBeside'
  >
  readonly teams: Pick<Teams, 'list' | 'get' | 'create' | 'patch' | 'remove'>
  /** Where people sign in AI clients, as far as the service knows; undefined where they can't, or under an unknown name. */
  readonly signInAddress: () => string | undefined
  /** AI clients that signed in with a key. */
  readonly connections: Pick<Connections, 'of' | 'termsOf' | 'end'>
  /** What waits for a second administrator; undefined where nothing does. */
  readonly approvals: Approvals | undefined
  readonly projects: Pick<Projects, 'list' | 'get' | 'lookUp' | 'create' | 'patch' | 'takingAway'>
  /** Not the audited one: an operation is on record where it is served. */
  readonly answering: Pick<Answering, 'answer'>
  readonly cursors: (caller: Caller) => CallerCursors
  readonly store: Pick<Store, 'run' | 'stream' | 'calls' | 'events' | 'privacy' | 'turns'>
  readonly mappings: Pick<SavedMappings, 'followed' | 'list' | 'get' | 'set' | 'remove'>
  /** Where other products send calls as they happen. */
  readonly inbound: Pick<InboundWebhooks, 'followed' | 'find' | 'list' | 'add' | 'remove' | 'verify' | 'take'>
  readonly recordings: Pick<Recordings, 'open' | 'erase'>
  /** Tables of calls for warehouses. */
  readonly tableExports: Pick<TableExports, 'write'>
  readonly rubrics: Pick<Rubrics, 'of' | 'set' | 'read' | 'restore' | 'version' | 'versions' | 'catalogs'>
  readonly models: ModelRuns
  readonly knowledge: Pick<KnowledgeBases, 'list' | 'get' | 'put' | 'remove'>
  readonly events: Pick<Events, 'webhooks' | 'alerts' | 'deliveries' | 'resend' | 'feedback' | 'removeFeedback'> &
    ErasureParts['events']
  readonly feedbackIntake: Pick<FeedbackIntake, 'give' | 'restore'>
  /** After how many days calls are erased in a project that is new; undefined where nothing is said of it. */
  readonly retentionDays: number | undefined
  readonly tasks: Pick<Tasks, 'list' | 'get' | 'check' | 'create' | 'patch' | 'remove' | 'runs'>
  readonly scheduler: Pick<TaskScheduler, 'runNow'>
  readonly reports: ErasureParts['reports']
  /** Hears of what came in. */
  readonly imports: ImportMeter
  /** Where what projects send is worked on. */
  readonly threads: Threads
  /** What uploads and bulk readings of calls hold. */
  readonly admission: Pick<Admission, 'budgets' | 'bulkReads' | 'takeUpload' | 'unfinishedRecords' | 'unwrittenRecords'>
  readonly importLimits: {
    /** Most bytes of an upload, decompressed, and of one record. */
    readonly maxImportBytes: number
    readonly maxRecordBytes: number
    /** Of calls that come over the control socket. */
    readonly frames: FrameLimits
  }
  readonly backup: (options: BackupOptions) => Promise<BackupReport>
  /** The health object of the specification. */
  readonly health: () => { status: string; server: string; tools: number; auth_cache_size: number }
  /**
   * Resolves to nothing when everything answers, else to why no answer may leave. Safe to let anyone ask: looks that are
   * asked for together share one, which ends in time.
   */
  readonly ready: () => Promise<NotReady | undefined>
  /** Of the program. */
  readonly version: string
}
