import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import type { ImportMeter } from '../metrics/import-meter.js'
import type { TaskMeter } from '../metrics/task-meter.js'
import type { Answering } from '../questions/answering.js'
import type { ModelRuns } from '../evaluation/run/model-runs.js'
import type { KnowledgeBases } from '../questions/knowledge/knowledge-bases.js'
import { Recordings } from '../ingest/recordings.js'
import { TableExports } from '../questions/export/table-exports.js'
import { TEMP_FOLDER } from '../store/duckdb/files/open-engine.js'
import { Reports } from '../tasks/reports.js'
import { TaskScheduler } from '../tasks/task-scheduler.js'
import type { TaskServices } from '../tasks/task-services.js'
import { Tasks } from '../tasks/tasks.js'
import { openBucket } from './open-bucket.js'
import type { Installation } from './open-installation.js'

interface Given {
  readonly config: Config
  readonly log: Logger
  readonly installation: Installation
  readonly answering: Answering
  readonly knowledge: KnowledgeBases
  readonly models: Pick<ModelRuns, 'evaluator' | 'inBatches'>
  readonly meter: ImportMeter & TaskMeter
}

export interface OpenTasks {
  readonly tasks: Tasks
  readonly scheduler: TaskScheduler
  readonly reports: Reports
  readonly recordings: Recordings
  readonly tableExports: TableExports
}

/** The tasks of an installation and what runs them; nothing runs by its schedule before the scheduler is started. */
export async function openTasks({
  config,
  log,
  installation,
  answering,
  knowledge,
  models,
  meter,
}: Given): Promise<OpenTasks> {
  const { store, shared, projects, rubrics, events, trail, threads } = installation
  const taskLog = log.child({ part: 'tasks' })
  const reports = new Reports({ store: store.reports, reportDir: config.reportDir, log: taskLog })
  const recordings = new Recordings(config.recordingsDir)
  const tableExports = new TableExports({ store, parent: join(config.dataDir, TEMP_FOLDER) })
  const services: TaskServices = {
    answering,
    calls: store.calls,
    privacy: store.privacy,
    turns: store.turns,
    rubrics,
    models,
    threads,
    knowledge,
    imports: meter,
    projects,
    importDir: config.importDir,
    bucket: openBucket(config),
    reports,
    recordings,
    tableExports,
    maxRecordBytes: config.maxImportLineBytes,
    events,
  }
  const clock = Date.now
  const tasks = await Tasks.load({ store: store.tasks, sharing: store, services, clock })
  const scheduler = new TaskScheduler({
    tasks,
    leases: store.leases,
    isShared: shared !== undefined,
    services,
    trail,
    meter,
    log: taskLog,
    clock,
  })
  return { tasks, scheduler, reports, recordings, tableExports }
}
