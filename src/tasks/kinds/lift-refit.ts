import { z } from 'zod'
import { runRubricOf } from '../../evaluation/run/run-rubric.js'
import { refitLift } from '../../evaluation/lift/refit-lift.js'
import { taskKind } from '../task-kind.js'

/** Fits outcome lift anew to the project's evaluated calls. The same calls give the same lifts, so a repeat changes nothing. */
export const liftRefit = taskKind({
  name: 'lift_refit',
  title: 'Fit outcome lift anew: how much better each call went than calls in the same context',
  parameters: z.strictObject({}),
  check: async (_, { services, project }) => {
    // Says what is wrong with a rubric that can't be read any more.
    await services.rubrics.of(project.project_id)
  },
  run: async (_, { services, project, signal }) => {
    const rubric = await runRubricOf(services.rubrics, project)
    const reports = await refitLift({ store: services.calls, projectId: project.project_id, rubric, signal })
    const summary = reports
      .map(({ evaluator, lifts, changed, none }) => {
        const found = none === undefined ? `outcome lift of ${lifts} calls fitted` : `no outcome lift: ${none}`
        return `Evaluated by ${evaluator}: ${found}; ${changed} calls changed`
      })
      .join('. ')
    return { summary, result: { lift: reports } }
  },
})
