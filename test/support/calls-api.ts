import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { anAdmission } from './an-admission.js'
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
import { FeedbackIntake } from '../../src/ingest/feedback-intake.js'
import { projectCatalogs } from '../../src/calls/catalogs.js'
import type { ImportCounts } from '../../src/metrics/import-meter.js'
import { createAnswering } from '../../src/questions/create-answering.js'
import { alertRoutes } from '../../src/rest/alert-routes.js'
import { feedbackRoutes } from '../../src/rest/feedback-routes.js'
import { exportRoutes } from '../../src/rest/export-routes.js'
import { knowledgeRoutes } from '../../src/rest/knowledge-routes.js'
import { rubricRoutes } from '../../src/rest/rubric-routes.js'
import { taskRoutes } from '../../src/rest/task-routes.js'
import { eraseRoutes } from '../../src/rest/erase-routes.js'
import { importRoutes } from '../../src/rest/import-routes.js'
import { questionRoutes } from '../../src/rest/question-routes.js'
import { webhookRoutes } from '../../src/rest/webhook-routes.js'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'
import type { Store } from '../../src/store/store.js'
import { type ApiOptions, overseeing, startApi } from './api.js'

const KEY_OF_CURSORS = Buffer.alloc(32, 7).toString('base64url')

interface CallsApiOptions extends Pick<ApiOptions, 'settings' | 'requestsPerMinute' | 'failuresPerMinute'> {
  readonly maxImportBytes?: number
  /** Puts something into the store before anything reads it. */
  readonly seed?: (store: Store) => Promise<void>
  /** What a run of a task of kind retention does. */
  readonly work?: () => Promise<void>
  /** Where imports are checked and rubrics read; in this thread when absent. */
  readonly threads?: Threads
}

/** The API listener with all its routes, over a real store; projects `p1` and `p2`, both empty. Tasks are in memory. */
export async function startCallsApi({
  maxImportBytes = 64 * 1024 * 1024,
  seed,
  work = async () => undefined,
  threads = threadsHere,
  ...options
}: CallsApiOptions = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-test-'))
  const store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 2, rememberBytes: 1024 * 1024 })
  await seed?.(store)
  const events = await Events.load({ store: store.events, secret: KEY_OF_CURSORS, allowedRanges: [] })
  const cursors = new CursorSeal(KEY_OF_CURSORS)
  const imported: ImportCounts[] = []
  const knowledge = await KnowledgeBases.load({ store: store.knowledge })
  const rubrics = await Rubrics.load({ store: store.rubrics, read: readingIn(threads) })
  const scheduled = await aScheduler(work)
  const admission = anAdmission()
  const api = await startApi({
    ...options,
    routesOver: ({ projects }) => {
      const answering = createAnswering({
        heavy: anAdmission().heavyQuestions,
        store,
        project: id => projects.list().find(project => project.project_id === id),
        catalogs: projectCatalogs,
        cursors: caller => cursors.of(caller),
        deadlineMs: 60_000,
        clock: Date.now,
        catchUp: async () => undefined,
        knowledge: () => undefined,
      })
      return [
        ...webhookRoutes({ events, projects, cursors: async caller => cursors.of(caller) }),
        ...alertRoutes({ events, projects }),
        ...feedbackRoutes({ intake: new FeedbackIntake({ store, events, projects }), events, projects, answering }),
        ...questionRoutes({ answering, projects }),
        ...knowledgeRoutes({ knowledge, projects }),
        ...exportRoutes({ store, projects }),
        ...rubricRoutes({ answering, projects, rubrics, threads }),
        ...taskRoutes({ ...scheduled, projects }),
        ...eraseRoutes({ calls: store.calls, events, reports: noReports, projects }),
        ...importRoutes({
          store: store.calls,
          projects,
          rubrics: { of: async () => ({ ...defaultRubric, text: '', source: 'built-in' }) },
          threads,
          admission,
          imports: { imported: counts => void imported.push(counts) },
          maxImportBytes,
          maxRecordBytes: 1024 * 1024,
        }),
      ]
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
    close: async () => {
      await api.server.close()
      await scheduled.scheduler.stop()
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
