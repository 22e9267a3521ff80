import { z } from 'zod'
import { evaluateCalls } from '../../evaluation/run/evaluate-calls.js'
import { runRubricOf } from '../../evaluation/run/run-rubric.js'
import type { ModelUsage } from '../../evaluation/run/evaluation-report.js'
import { Problem } from '../../base/problem.js'
import { usualEvaluator } from '../../evaluation/usual-evaluator.js'
import { taskKind } from '../task-kind.js'

const parameters = z.strictObject({
  with: z.enum(['rules', 'model']).optional().meta({
    description:
      'What evaluates: the rules of the rubric, or the configured language model; what the project is set to when absent',
  }),
  stale: z
    .boolean()
    .default(false)
    .meta({ description: 'Also calls that were evaluated by another rubric or another version of it' }),
  batches: z.boolean().default(false).meta({
    description:
      'Whether the model is asked by batches of its provider, at half the price: each run takes over what was answered since the one before, and sends the rest',
  }),
})

/** Evaluates the calls that are not evaluated yet, by the project's rubric. A run that is cut off is gone on with. */
export const evaluatePending = taskKind({
  name: 'evaluate_pending',
  title:
    'Evaluate the calls that are not evaluated yet, by the project’s rubric: by its rules or with a language model',
  parameters,
  check: async ({ with: asked, batches }, { services, project }) => {
    const by = asked ?? usualEvaluator(project)
    if (batches && by !== 'model') {
      throw new Problem('invalid_input', 'Batches are a language model’s: say with: model, or set the project to it')
    }
    // Says what is wrong with a rubric that can't be read any more, and that there is no model.
    const used = await runRubricOf(services.rubrics, project)
    if (by === 'model') services.models.evaluator(project.project_id, used)
  },
  run: async ({ stale, with: asked, batches }, { services, project, signal, log, taskId }) => {
    const by = asked ?? usualEvaluator(project)
    const { project_id: projectId } = project
    const rubric = await runRubricOf(services.rubrics, project)
    const which = stale ? 'stale' : 'pending'
    const shared = { threads: services.threads, requester: { project: projectId, key: `task ${taskId}` } }
    const work = { store: services.calls, projectId, rubric, which, signal, shared } as const
    // What a provider may take a day for is not waited for: the next run takes it over.
    const inBatches = by === 'model' && batches ? await services.models.inBatches({ ...work, wait: false }) : undefined
    const report =
      inBatches ??
      (await evaluateCalls({
        ...work,
        ...(by === 'model' && { evaluator: services.models.evaluator(projectId, rubric) }),
      }))
    const { chosen, evaluated, not_evaluated, changed_meanwhile, model } = report
    const stopped = model?.stopped
    const waiting = inBatches?.batches.waiting ?? 0
    const done = `${evaluated} of ${chosen} calls evaluated by ${report.evaluator} (rubric ${report.rubric}, ${report.rubric_version})${waiting === 0 ? '' : `; with the provider: ${waiting}`}`
    if (stopped?.failed === true) {
      log.warn({ evaluated, chosen, reason: stopped.reason }, 'The evaluation with the model ended early')
      throw new Problem('busy', `${done}; then it ended: ${stopped.reason}`)
    }
    return {
      summary: stopped === undefined ? done : `${done}; the budget of the run is spent, and the next run goes on`,
      result: {
        chosen,
        evaluated,
        not_evaluated,
        changed_meanwhile,
        ...(model !== undefined && { model: usage(model) }),
        ...(inBatches !== undefined && { batches: inBatches.batches }),
      },
    }
  },
})

/** What it was asked for, in numbers. */
function usage({ requests, cached, input_tokens, output_tokens, cost }: ModelUsage): object {
  return { requests, cached, input_tokens, output_tokens, ...(cost !== undefined && { cost }) }
}
