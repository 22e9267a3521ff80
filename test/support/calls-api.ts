import { scoringOf } from '../../src/evaluation/rubric/scoring.js'
import { builtInCatalogs } from '../../src/evaluation/rubric/rubric-catalogs.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import type { Approvals } from '../../src/access/approvals.js'
import { beginStore } from './begun-store.js'
import { anAdmission } from './an-admission.js'
import { operations } from '../../src/operations/operations.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Threads } from '../../src/admission/threads.js'
import { readingIn } from '../../src/evaluation/rubric/read-rubric.js'
import { Rubrics } from '../../src/evaluation/rubrics.js'
import { KnowledgeBases } from '../../src/questions/knowledge/knowledge-bases.js'
import { aScheduler } from '../tasks/support.js'
import { noReports } from './no-reports.js'
import { threadsHere } from './threads-here.js'
import { CursorSeal } from '../../src/access/cursor-seal.js'
import { Events } from '../../src/events/events.js'
import { SecretBox } from '../../src/base/secret-box.js'
import { InboundWebhooks } from '../../src/ingest/inbound/inbound-webhooks.js'
import { SavedMappings } from '../../src/ingest/mapping/saved-mappings.js'
import { Recordings } from '../../src/ingest/recordings.js'
import { FeedbackIntake } from '../../src/ingest/feedback-intake.js'
import { projectCatalogs } from '../../src/calls/catalogs.js'
import type { ImportCounts } from '../../src/metrics/import-meter.js'
import { TableExports } from '../../src/questions/export/table-exports.js'
import { createAnswering } from '../../src/questions/create-answering.js'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'
import type { Store } from '../../src/store/store.js'
import { type ApiOptions, overseeing, startApi } from './api.js'

/** Served by every API of the tests. */
const OF_EVERY_API = ['/projects', '/api/v1/projects', '/health', '/ready']

const KEY_OF_CURSORS = Buffer.alloc(32, 7).toString('base64url')

interface CallsApiOptions extends Pick<
  ApiOptions,
  'admission' | 'trail' | 'settings' | 'requestsPerMinute' | 'failuresPerMinute' | 'maxKeysPerProject'
> {
  readonly maxImportBytes?: number
  /** Puts something into the store before anything reads it. */
  readonly seed?: (store: Store) => Promise<void>
  /** What a run of a task of kind retention does. */
  readonly work?: () => Promise<void>
  /** Where imports are checked and rubrics read; in this thread when absent. */
  readonly threads?: Threads
  /** Has what is confirmed by two wait for the second one. */
  readonly approvals?: (store: Store) => Approvals
  /** Of inbound webhooks. */
  readonly clock?: () => number
}

/** The API listener with all its routes, over a real store; projects `p1` and `p2`, both empty. Tasks are in memory. */
export async function startCallsApi({
  maxImportBytes = 64 * 1024 * 1024,
  seed,
  work = async () => undefined,
  threads = threadsHere,
  clock = Date.now,
  approvals,
  ...options
}: CallsApiOptions = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-test-'))
  await beginStore(dataDir)
  const store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 1, rememberBytes: 1024 * 1024 })
  await seed?.(store)
  const events = await Events.load({ store: store.events, secret: KEY_OF_CURSORS, allowedRanges: [] })
  const cursors = new CursorSeal(KEY_OF_CURSORS)
  const imported: ImportCounts[] = []
  const knowledge = await KnowledgeBases.load({ store: store.knowledge })
  const rubrics = await Rubrics.load({ store: store.rubrics, read: readingIn(threads) })
  const mappings = await SavedMappings.load({ store: store.imports, clock: Date.now })
  const box = new SecretBox(KEY_OF_CURSORS)
  const inbound = await InboundWebhooks.load({ store: store.imports, box, clock })
  const scheduled = await aScheduler(work)
  const admission = anAdmission()
  const api = await startApi({
    ...options,
    settings: { inboundBytes: 1024 * 1024, ...options.settings },
    operations: operations.filter(
      ({ summary, url }) => summary !== undefined && !OF_EVERY_API.some(one => url.startsWith(one)),
    ),
    services: ({ projects }) => {
      const answering = createAnswering({
        light: anAdmission().lightQuestions,
        heavy: anAdmission().heavyQuestions,
        budgets: admission.budgets,
        pipelineReading: anAdmission().pipelineReading,
        threads,
        store,
        feedback: store.events.feedback,
        project: id => projects.list().find(project => project.project_id === id),
        catalogs: project => projectCatalogs(project, builtInCatalogs),
        scoring: async project => scoringOf(defaultRubric, project.verticals),
        cursors: caller => cursors.of(caller),
        deadlineMs: 60_000,
        clock: Date.now,
        catchUp: async () => undefined,
        teams: { find: () => undefined, list: () => [] },
        knowledge: id => knowledge.of(id),
      })
      return {
        ...scheduled,
        ...(approvals && { approvals: approvals(store) }),
        store,
        events,
        knowledge,
        rubrics,
        answering,
        reports: noReports,
        mappings,
        inbound,
        recordings: new Recordings(join(dataDir, 'recordings')),
        tableExports: new TableExports({ store, parent: join(dataDir, 'tmp') }),
        cursors: caller => cursors.of(caller),
        feedbackIntake: new FeedbackIntake({ store, events, projects }),
        imports: { imported: counts => void imported.push(counts) },
        threads,
        admission,
        importLimits: {
          maxImportBytes,
          maxRecordBytes: 1024 * 1024,
          frames: { recordBytes: 1024 * 1024, writeBytes: 1024 * 1024 },
        },
      }
    },
  })
  const ada = { subject: 'ada', name: 'ada', role: 'Admin' as const, current_project_id: 'p1' }
  return {
    ...api,
    /** What uploads hold. */
    admission,
    /** What the metrics heard of imports. */
    imported,
    /** A key of project p1, the default one or with some fields changed. */
    mint: async (fields: object = {}) => {
      return (await api.keys.mint('p1', { ...overseeing, ...fields }, ada)).key
    },
    store,
    events,
    /** Below it lie recordings, each project's in its folder. */
    recordingsDir: join(dataDir, 'recordings'),
    close: async () => {
      await api.server.close()
      await scheduled.scheduler.stop()
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
