import { z } from 'zod'
import type { Caller } from '../access/caller.js'
import type { Projects } from '../access/projects.js'
import { alertCondition } from '../events/alerts/alert-condition.js'
import { alertPatch, newAlert } from '../events/alerts/alert-fields.js'
import type { Events } from '../events/events.js'
import { type Route, route } from './route.js'

export interface AlertRouteParts {
  readonly events: Pick<Events, 'alerts'>
  readonly projects: Pick<Projects, 'get'>
}

const ALERTS = '/api/v1/alerts'
const ALERT = `${ALERTS}/:alert_id`

const alertAnswer = z.strictObject({
  alert_id: z.string(),
  project_id: z.string(),
  name: z.string(),
  condition: alertCondition,
  agents: z.array(z.string()).meta({ description: 'Names of the agents it is about; all when empty' }),
  cooldown_seconds: z.int(),
  active: z.boolean(),
  created_at: z.string(),
  created_by: z.string(),
  last_triggered_at: z.string().optional(),
})

/** Alerts of the caller's project, by administrators. */
export function alertRoutes({ events: { alerts }, projects }: AlertRouteParts): readonly Route[] {
  const projectOf = (caller: Caller): string => projects.get(caller.project_id).project_id
  return [
    route({
      method: 'GET',
      url: ALERTS,
      access: 'administrator',
      summary: 'List alerts',
      answer: z.strictObject({ alerts: z.array(alertAnswer) }),
      handle: (_, caller) => ({ alerts: alerts.list(projectOf(caller)) }),
    }),
    route({
      method: 'POST',
      url: ALERTS,
      access: 'administrator',
      summary: 'Add an alert',
      description:
        'When it is triggered, alert.triggered goes to the webhooks that want it; then it is silent for its cooldown. Calls are held against it as they are written, changes are looked for every hour and a minute after calls were written.',
      status: 201,
      conflicts: 'The project has as many alerts as it may',
      body: newAlert,
      answer: alertAnswer,
      handle: (request, caller) => alerts.add(projectOf(caller), request.body(), caller.app_name),
    }),
    route({
      method: 'GET',
      url: ALERT,
      access: 'administrator',
      summary: 'Get one alert',
      answer: alertAnswer,
      handle: (request, caller) => alerts.get(projectOf(caller), request.param('alert_id')),
    }),
    route({
      method: 'PATCH',
      url: ALERT,
      access: 'administrator',
      summary: 'Change an alert',
      body: alertPatch,
      answer: alertAnswer,
      handle: (request, caller) => {
        const { alert_id: id, project_id: projectId } = alerts.get(projectOf(caller), request.param('alert_id'))
        return alerts.patch(projectId, id, request.body())
      },
    }),
    route({
      method: 'DELETE',
      url: ALERT,
      access: 'administrator',
      status: 204,
      summary: 'Remove an alert',
      handle: async (request, caller) => {
        await alerts.remove(projectOf(caller), request.param('alert_id'))
        return {}
      },
    }),
  ]
}
