import { z } from 'zod'
import { usualEvaluator } from '../evaluation/usual-evaluator.js'
import { refitLift } from '../evaluation/lift/refit-lift.js'
import { evaluateCalls } from '../evaluation/run/evaluate-calls.js'
import type { EvaluationReport } from '../evaluation/run/evaluation-report.js'
import { compareEvaluators } from '../evaluation/run/compare-evaluators.js'
import type { ModelRuns } from '../evaluation/run/model-runs.js'
import { readableRubric } from '../evaluation/run/import-rubric.js'
import { runRubricOf } from '../evaluation/run/run-rubric.js'
import type { Threads } from '../admission/threads.js'
import type { Rubrics } from '../evaluation/rubrics.js'
import type { Keys } from '../access/keys.js'
import type { Projects } from '../access/projects.js'
import type { BackupOptions, BackupReport } from '../backup/create-backup.js'
import type { FeedbackIntake } from '../ingest/feedback-intake.js'
import type { ImportMeter } from '../metrics/import-meter.js'
import type { KeyAsSeen } from '../questions/key-as-seen.js'
import { type Route, route } from '../rest/route.js'
import type { LiftStore } from '../store/lift-store.js'
import type { FeedbackStore } from '../store/event-store.js'
import type { CallStore, EvaluationStore } from '../store/store.js'
import type { ImportEnd } from './door.js'
import { feedbackTransferRoutes } from './feedback-routes.js'
import { type FrameLimits, readFrames } from './import-frames.js'
import { IMPORT_PREVIEW_URL, previewBody } from './import-preview.js'
import { rubricTransferRoutes } from './rubric-transfer-routes.js'

/** What the operator's commands need beyond the routes of the API. */
export interface ControlParts {
  readonly keys: Pick<Keys, 'get'>
  readonly projects: Pick<Projects, 'get'>
  readonly calls: Pick<CallStore, 'upsert' | 'preview' | 'agentIds'> & EvaluationStore & LiftStore
  readonly feedback: Pick<FeedbackStore, 'page'>
  readonly intake: Pick<FeedbackIntake, 'restore'>
  readonly rubrics: Pick<Rubrics, 'of' | 'restore'>
  readonly models: ModelRuns
  readonly threads: Threads
  readonly asSeen: KeyAsSeen
  readonly imports: ImportMeter
  readonly frames: FrameLimits
  readonly backup: (options: BackupOptions) => Promise<BackupReport>
  readonly version: string
}

export const SERVER_URL = '/control/server'
export const AS_SEEN_URL = '/control/projects/:project_id/mcp-keys/:key_id/as-seen'
export const AGENT_IDS_URL = '/control/projects/:project_id/agent-ids'
export const EVALUATE_URL = '/control/projects/:project_id/evaluate'
export const COMPARE_URL = `${EVALUATE_URL}/compare`
export const LIFT_URL = '/control/projects/:project_id/lift'
export const BACKUP_URL = '/control/backup'
export const IMPORT_URL = '/control/projects/:project_id/import'

const importQuery = z.strictObject({
  restore_erased: z
    .enum(['true', 'false'])
    .default('false')
    .transform(text => text === 'true'),
})

/** Most of a run with a model, in place of what is configured. */
const budgetQuery = {
  max_calls: z.coerce.number().int().min(1).optional(),
  max_tokens: z.coerce.number().int().min(1).optional(),
  max_cost: z.coerce.number().min(0).optional(),
}

const evaluateQuery = z.strictObject({
  which: z.enum(['pending', 'stale', 'all', 'everything']).default('pending'),
  with: z.enum(['rules', 'model']).optional(),
  sample: z.coerce.number().int().min(1).optional(),
  ...budgetQuery,
})

const compareQuery = z.strictObject({
  sample: z.coerce.number().int().min(1).max(1_000).default(50),
  ...budgetQuery,
})

/** Milliseconds between two lines that tell of progress. */
const TOLD_MS = 200

const backupQuery = z.strictObject({
  directory: z.string().min(1),
  max_pause: z.coerce.number().min(1).max(3_600).default(300).meta({ description: 'Seconds' }),
})

/** Routes of the control socket alone. */
export function controlRoutes({
  keys,
  projects,
  calls,
  feedback,
  intake,
  rubrics,
  models,
  threads,
  asSeen,
  ...parts
}: ControlParts): readonly Route[] {
  return [
    ...feedbackTransferRoutes({ feedback, intake, projects }),
    ...rubricTransferRoutes({ rubrics, projects }),
    route({
      method: 'GET',
      url: SERVER_URL,
      access: 'open',
      handle: () => ({ version: parts.version, pid: process.pid }),
    }),
    route({
      method: 'GET',
      url: AS_SEEN_URL,
      access: 'super_admin',
      handle: request => asSeen(keys.get(request.param('project_id'), request.param('key_id')), request),
    }),
    route({
      method: 'GET',
      url: AGENT_IDS_URL,
      access: 'super_admin',
      handle: async request => {
        const project = projects.get(request.param('project_id'))
        const { redact = false, evaluation = 'rules' } = project
        const agents = [...(await calls.agentIds(project.project_id))]
        const rubric = await readableRubric(rubrics, project)
        return { agents, redact, evaluation, ...(rubric && { rubric }) }
      },
    }),
    route({
      method: 'POST',
      url: EVALUATE_URL,
      access: 'super_admin',
      query: evaluateQuery,
      streams: true,
      rows: answer => (answer as EvaluationReport).evaluated,
      handle: async (request, who) => {
        const project = projects.get(request.param('project_id'))
        const { project_id: projectId } = project
        const { which, sample, with: by = usualEvaluator(project), max_calls, max_tokens, max_cost } = request.query()
        const used = await runRubricOf(rubrics, project)
        const budget = { calls: max_calls, tokens: max_tokens, cost: max_cost }
        const report = await evaluateCalls({
          store: calls,
          projectId,
          rubric: used,
          which,
          sample,
          signal: request.signal,
          shared: { threads, requester: { project: projectId, key: who.subject } },
          ...(by === 'model' && { evaluator: models.evaluator(projectId, used, budget) }),
          onProgress: nowAndThen(progress => request.say(progress)),
        })
        const lift = await refitLift({ store: calls, projectId, rubric: used, signal: request.signal })
        return { ...report, lift }
      },
    }),
    route({
      method: 'POST',
      url: COMPARE_URL,
      access: 'super_admin',
      query: compareQuery,
      streams: true,
      handle: async (request, who) => {
        const project = projects.get(request.param('project_id'))
        const { project_id: projectId } = project
        const { sample, max_calls, max_tokens, max_cost } = request.query()
        const used = await runRubricOf(rubrics, project)
        return await compareEvaluators({
          store: calls,
          projectId,
          rubric: used,
          sample,
          signal: request.signal,
          shared: { threads, requester: { project: projectId, key: who.subject } },
          evaluator: models.evaluator(projectId, used, { calls: max_calls, tokens: max_tokens, cost: max_cost }),
          onProgress: nowAndThen(progress => request.say(progress)),
        })
      },
    }),
    route({
      method: 'POST',
      url: LIFT_URL,
      access: 'super_admin',
      handle: async request => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        const rubric = await rubrics.of(projectId)
        return { lift: await refitLift({ store: calls, projectId, rubric, signal: request.signal }) }
      },
    }),
    route({
      method: 'POST',
      url: BACKUP_URL,
      access: 'super_admin',
      query: backupQuery,
      streams: true,
      handle: async request => {
        const { directory, max_pause: seconds } = request.query()
        return await parts.backup({
          directory,
          maxPauseMs: seconds * 1000,
          signal: request.signal,
          // How far it is nobody waits for, and a commander that left is told of by the signal.
          onProgress: done => void request.say(done).catch(() => undefined),
        })
      },
    }),
    route({
      method: 'POST',
      url: IMPORT_PREVIEW_URL,
      access: 'super_admin',
      body: previewBody,
      handle: async request => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        const { calls: asked, restore_erased: restoreErased } = request.body()
        return await calls.preview(projectId, asked, { restoreErased })
      },
    }),
    route({
      method: 'POST',
      url: IMPORT_URL,
      access: 'super_admin',
      query: importQuery,
      streams: true,
      rows: answer => (answer as ImportEnd).stored,
      handle: async request => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        const options = { restoreErased: request.query().restore_erased }
        let came: ImportEnd = { stored: 0, duplicates: 0, rejected: 0 }
        try {
          for await (const frame of readFrames(request.stream, parts.frames)) {
            request.signal.throwIfAborted()
            if ('end' in frame) {
              came = frame.end
              break
            }
            const result = await calls.upsert(projectId, frame.calls, options)
            came = { ...came, stored: came.stored + result.stored }
            await request.say(result)
          }
          return came
        } finally {
          parts.imports.imported(came)
        }
      },
    }),
  ]
}

/** Hands on what comes so often that nobody could read it, some times a second. */
function nowAndThen<T>(say: (progress: T) => Promise<void>): (progress: T) => Promise<void> {
  let told = -TOLD_MS
  return async progress => {
    if (performance.now() - told < TOLD_MS) return
    told = performance.now()
    await say(progress)
  }
}
