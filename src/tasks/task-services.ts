import type { Projects } from '../access/projects.js'
import type { Threads } from '../admission/threads.js'
import type { ImportMeter } from '../metrics/import-meter.js'
import type { EventPort } from '../events/event-port.js'
import type { Events } from '../events/events.js'
import type { Answering } from '../questions/answering.js'
import type { TableExports } from '../questions/export/table-exports.js'
import type { KnowledgeBases } from '../questions/knowledge/knowledge-bases.js'
import type { ModelRuns } from '../evaluation/run/model-runs.js'
import type { Rubrics } from '../evaluation/rubrics.js'
import type { PrivacyStore } from '../store/privacy-store.js'
import type { SharedTurns } from '../store/shared-turns.js'
import type { Bucket } from '../ingest/bucket/bucket.js'
import type { Recordings } from '../ingest/recordings.js'
import type { CallStore } from '../store/store.js'
import type { Reports } from './reports.js'

/** What tasks work with. */
export interface TaskServices {
  /** Not the audited one: a run is on record as a whole. */
  readonly answering: Pick<Answering, 'answer'>
  readonly calls: CallStore
  readonly privacy: Pick<PrivacyStore, 'heldAmong'>
  readonly turns: SharedTurns
  /** What a project's calls are evaluated by. */
  readonly rubrics: Pick<Rubrics, 'of'>
  readonly models: Pick<ModelRuns, 'evaluator' | 'inBatches'>
  /** Where imports and evaluations do their work. */
  readonly threads: Threads
  readonly knowledge: Pick<KnowledgeBases, 'list' | 'put' | 'remove'>
  readonly imports: ImportMeter
  readonly projects: Pick<Projects, 'get' | 'list' | 'takingAway'>
  /** The directory that names of folders lie below, as the operator set it. */
  readonly importDir: string | undefined
  /** The bucket that files are dropped into, where the operator has set one. */
  readonly bucket: Bucket | undefined
  /** The files below the report directory, which name calls. */
  readonly reports: Pick<Reports, 'isSet' | 'folder' | 'write' | 'without'>
  readonly recordings: Pick<Recordings, 'erase'>
  readonly tableExports: Pick<TableExports, 'write'>
  /** Most bytes of one record of an import. */
  readonly maxRecordBytes: number
  readonly events: EventPort & Pick<Events, 'hush' | 'lookForChanges'>
}
