import { z } from 'zod'
import { evaluateCalls } from '../../evaluation/run/evaluate-calls.js'
import { taskKind } from '../task-kind.js'

const parameters = z.strictObject({
  stale: z
    .boolean()
    .default(false)
    .meta({ description: 'Also calls that were evaluated by another rubric or another version of it' }),
})

/** Evaluates the calls that are not evaluated yet, by the project's rubric. A run that is cut off is gone on with. */
export const evaluatePending = taskKind({
  name: 'evaluate_pending',
  title: 'Evaluate the calls that are not evaluated yet, by the rules of the project’s rubric',
  parameters,
  check: (_, { services, project }) => {
    // Says what is wrong with a rubric that can't be read any more.
    services.rubrics.of(project.project_id)
  },
  run: async ({ stale }, { services, project, signal }) => {
    const { rubric, version } = services.rubrics.of(project.project_id)
    const report = await evaluateCalls({
      store: services.calls,
      projectId: project.project_id,
      rubric: { rubric, version, verticals: project.verticals },
      which: stale ? 'stale' : 'pending',
      signal,
    })
    const { chosen, evaluated, not_evaluated, changed_meanwhile } = report
    return {
      summary: `${evaluated} of ${chosen} calls evaluated by rules (rubric ${report.rubric}, ${report.rubric_version})`,
      result: { chosen, evaluated, not_evaluated, changed_meanwhile },
    }
  },
})
