import { z } from 'zod'
import { alertCondition } from '../events/alerts/alert-condition.js'
import { alertPatch, newAlert } from '../events/alerts/alert-fields.js'
import { alert } from '../store/records/alert.js'
import { operation } from './operation.js'

const ALERTS = '/api/v1/alerts'
const ALERT = `${ALERTS}/:alert_id`

/** An alert as reads answer with it. */
export const alertView = alert.view.extend({ condition: alertCondition })

export const listAlerts = operation({
  method: 'GET',
  url: ALERTS,
  access: 'administrator',
  summary: 'List alerts',
  table: 'alerts',
  answer: z.strictObject({ alerts: z.array(alertView) }),
  run: ({ events }, _, caller) => ({ alerts: events.alerts.list(caller.project_id) }),
})

export const addAlert = operation({
  method: 'POST',
  url: ALERTS,
  access: 'administrator',
  summary: 'Add an alert',
  example: { body: { name: 'Poor calls', condition: { kind: 'score_below', threshold: 2 } } },
  description:
    'When it is triggered, alert.triggered goes to the webhooks that want it; then it is silent for its cooldown. Calls are held against it as they are written, changes are looked for every hour and a minute after calls were written.',
  status: 201,
  conflicts: 'The project has as many alerts as it may, or they would look for changes more often',
  body: newAlert,
  answer: alertView,
  run: ({ events }, request, caller) => events.alerts.add(caller.project_id, request.body(), caller.app_name),
})

export const getAlert = operation({
  method: 'GET',
  url: ALERT,
  access: 'administrator',
  summary: 'Get one alert',
  answer: alertView,
  run: ({ events }, request, caller) => events.alerts.get(caller.project_id, request.param('alert_id')),
})

export const changeAlert = operation({
  method: 'PATCH',
  url: ALERT,
  access: 'administrator',
  summary: 'Change an alert',
  example: { body: { active: false } },
  conflicts: 'The alerts of the project would look for changes more often than they may',
  body: alertPatch,
  answer: alertView,
  run: ({ events }, request, caller) => {
    const { alert_id: id, project_id: projectId } = events.alerts.get(caller.project_id, request.param('alert_id'))
    return events.alerts.patch(projectId, id, request.body())
  },
})

export const removeAlert = operation({
  method: 'DELETE',
  url: ALERT,
  access: 'administrator',
  status: 204,
  summary: 'Remove an alert',
  run: async ({ events }, request, caller) => {
    await events.alerts.remove(caller.project_id, request.param('alert_id'))
    return {}
  },
})

/** Alerts of the caller's project, by administrators. */
export const alertOperations = [listAlerts, addAlert, getAlert, changeAlert, removeAlert] as const
