import { z } from 'zod'
import { refitLift } from '../evaluation/lift/refit-lift.js'
import { liftReport } from '../evaluation/lift/lift-report.js'
import { compareEvaluators, comparison } from '../evaluation/run/compare-evaluators.js'
import { batchReport } from '../evaluation/run/batch-run.js'
import { batchStatus } from '../evaluation/run/model-runs.js'
import { evaluateCalls } from '../evaluation/run/evaluate-calls.js'
import { evaluationProgress, evaluationReport } from '../evaluation/run/evaluation-report.js'
import { runRubricOf } from '../evaluation/run/run-rubric.js'
import { usualEvaluator } from '../evaluation/usual-evaluator.js'
import { operation } from './operation.js'

const EVALUATE = '/control/projects/:project_id/evaluate'

/** Milliseconds between two lines that tell of progress. */
const PROGRESS_INTERVAL_MS = 200

/** Most of a run with a model, in place of what is configured. */
const budget = {
  max_calls: z.int().min(1).optional(),
  max_tokens: z.int().min(1).optional(),
  max_cost: z.number().min(0).optional(),
}

/** Evaluates stored calls, and fits outcome lift anew. For the operator. */
export const evaluateProject = operation({
  method: 'POST',
  url: EVALUATE,
  access: 'super_admin',
  query: z.strictObject({
    which: z.enum(['pending', 'stale', 'all', 'everything']).default('pending'),
    with: z.enum(['rules', 'model']).optional(),
    sample: z.int().min(1).optional(),
    ...budget,
  }),
  streams: true,
  progress: evaluationProgress,
  answer: evaluationReport,
  rows: answer => ('evaluated' in answer && typeof answer.evaluated === 'number' ? answer.evaluated : 0),
  run: async ({ projects, rubrics, models, threads, store }, request, who) => {
    const project = projects.get(request.param('project_id'))
    const { project_id: projectId } = project
    const rubric = await runRubricOf(rubrics, project)
    const { which, sample, with: by = usualEvaluator(project), max_calls, max_tokens, max_cost } = request.query()
    const { signal } = request
    const most = { calls: max_calls, tokens: max_tokens, cost: max_cost }
    const report = await evaluateCalls({
      store: store.calls,
      projectId,
      rubric,
      which,
      sample,
      signal,
      shared: { threads, requester: { project: projectId, key: who.subject } },
      ...(by === 'model' && { evaluator: models.evaluator(projectId, rubric, most) }),
      onProgress: nowAndThen(progress => request.say(progress)),
    })
    return {
      ...report,
      lift: await refitLift({ store, projectId, rubric, outcome: project.outcome, signal }),
    }
  },
})

/** Has the model evaluate by batches, and takes over what earlier ones answered. For the operator. */
export const evaluateByBatches = operation({
  method: 'POST',
  url: `${EVALUATE}/batches`,
  access: 'super_admin',
  query: z.strictObject({
    which: z.enum(['pending', 'stale', 'all', 'everything']).default('pending'),
    sample: z.int().min(1).optional(),
    wait: z.boolean().default(true),
    ...budget,
  }),
  streams: true,
  progress: evaluationProgress,
  answer: batchReport.extend({ lift: evaluationReport.shape.lift }),
  rows: answer => ('evaluated' in answer && typeof answer.evaluated === 'number' ? answer.evaluated : 0),
  run: async ({ projects, rubrics, models, threads, store }, request, who) => {
    const project = projects.get(request.param('project_id'))
    const { project_id: projectId } = project
    const rubric = await runRubricOf(rubrics, project)
    const { which, sample, wait, max_calls, max_tokens, max_cost } = request.query()
    const { signal } = request
    const report = await models.inBatches({
      store: store.calls,
      projectId,
      rubric,
      which,
      sample,
      wait,
      signal,
      budget: { calls: max_calls, tokens: max_tokens, cost: max_cost },
      shared: { threads, requester: { project: projectId, key: who.subject } },
      onProgress: nowAndThen(progress => request.say(progress)),
    })
    if (report.evaluated === 0) return report
    return {
      ...report,
      lift: await refitLift({ store, projectId, rubric, outcome: project.outcome, signal }),
    }
  },
})

/** The batches that were sent for a project. For the operator. */
export const listBatches = operation({
  method: 'GET',
  url: `${EVALUATE}/batches`,
  access: 'super_admin',
  answer: z.strictObject({ batches: z.array(batchStatus) }),
  run: async ({ projects, models }, request) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    return { batches: await models.batches(projectId, request.signal) }
  },
})

/** Ends the batches of a project that wait. For the operator. */
export const cancelBatches = operation({
  method: 'POST',
  url: `${EVALUATE}/batches/cancel`,
  access: 'super_admin',
  answer: z.strictObject({ batches: z.array(batchStatus) }),
  run: async ({ projects, models }, request) => {
    const { project_id: projectId } = projects.get(request.param('project_id'))
    return { batches: await models.cancelBatches(projectId, request.signal) }
  },
})

/**
 * Compares what the model and the rules say of a sample; nothing is kept. For the operator, at this machine: it quotes calls, and
 * no token and no key reaches it.
 */
export const compareOnSample = operation({
  method: 'POST',
  url: `${EVALUATE}/compare`,
  access: 'super_admin',
  query: z.strictObject({ sample: z.int().min(1).max(1_000).default(50), ...budget }),
  streams: true,
  progress: evaluationProgress,
  answer: comparison,
  rows: answer => ('compared' in answer && typeof answer.compared === 'number' ? answer.compared : 0),
  run: async ({ projects, rubrics, models, threads, store }, request, who) => {
    const project = projects.get(request.param('project_id'))
    const { project_id: projectId } = project
    const rubric = await runRubricOf(rubrics, project)
    const { sample, max_calls, max_tokens, max_cost } = request.query()
    const most = { calls: max_calls, tokens: max_tokens, cost: max_cost }
    return await compareEvaluators({
      store: store.calls,
      projectId,
      rubric,
      sample,
      signal: request.signal,
      shared: { threads, requester: { project: projectId, key: who.subject } },
      evaluator: models.evaluator(projectId, rubric, most),
      onProgress: nowAndThen(progress => request.say(progress)),
    })
  },
})

/** Fits outcome lift anew. For the operator. */
export const fitLift = operation({
  method: 'POST',
  url: '/control/projects/:project_id/lift',
  access: 'super_admin',
  answer: z.strictObject({ lift: z.array(liftReport) }),
  run: async ({ projects, rubrics, store }, request) => {
    const project = projects.get(request.param('project_id'))
    return {
      lift: await refitLift({
        store,
        projectId: project.project_id,
        rubric: await runRubricOf(rubrics, project),
        outcome: project.outcome,
        signal: request.signal,
      }),
    }
  },
})

/** Hands on what comes so often that nobody could read it, some times a second. */
function nowAndThen<T>(say: (progress: T) => Promise<void>): (progress: T) => Promise<void> {
  let told = -PROGRESS_INTERVAL_MS
  return async progress => {
    if (performance.now() - told < PROGRESS_INTERVAL_MS) return
    told = performance.now()
    await say(progress)
  }
}

export const evaluationOperations = [
  evaluateProject,
  evaluateByBatches,
  listBatches,
  cancelBatches,
  compareOnSample,
  fitLift,
] as const
