import { z } from 'zod'
import { PERIOD_FORMS, readPeriod } from '../../base/period.js'
import { isoInstant } from '../../base/window.js'
import { getProjectSummary } from '../../questions/get-project-summary.js'
import { askAsTask } from '../ask-as-task.js'
import { taskKind } from '../task-kind.js'

const parameters = z.strictObject({
  period: z
    .string()
    .min(1)
    .max(64)
    .default('yesterday')
    .meta({ description: `The period to sum up: ${PERIOD_FORMS}` }),
})

/** Tells the webhooks that want project.digest what a period was like, in numbers alone. */
export const webhookDigest = taskKind({
  name: 'webhook_digest',
  title: 'Send the numbers of a period to the webhooks that want project.digest',
  parameters,
  check: ({ period }, { now, project }) => {
    readPeriod(period, 'period', now, project.timezone)
  },
  run: async ({ period }, context) => {
    const { now, project, services, taskId, runId } = context
    const { from, until } = readPeriod(period, 'period', now, project.timezone)
    const bounds = { date_from: isoInstant(from), date_to: isoInstant(until - 1) }
    const found = await askAsTask(context, getProjectSummary, { ...bounds, top: 1 })
    const { calls, evaluated, scored_calls } = found
    const { average_score, positive_share, average_predicted_csat, average_lift } = found
    await services.events.raise({
      event: 'project.digest',
      project_id: project.project_id,
      data: {
        task_id: taskId,
        run_id: runId,
        from: bounds.date_from,
        to: bounds.date_to,
        time_zone: project.timezone,
        calls,
        evaluated,
        scored_calls,
        average_score,
        positive_share,
        average_predicted_csat,
        average_lift,
      },
    })
    return {
      summary: `${calls} calls from ${bounds.date_from} to ${bounds.date_to} told as project.digest`,
      result: { calls },
    }
  },
})
