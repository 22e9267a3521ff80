import { z } from 'zod'
import type { Caller } from '../access/caller.js'
import type { CallerCursors } from '../access/cursor-seal.js'
import type { Projects } from '../access/projects.js'
import type { Events } from '../events/events.js'
import { newWebhook, secretRotation, webhookPatch } from '../events/webhook-fields.js'
import { cursor, limit } from '../questions/arguments.js'
import type { Delivery } from '../store/event-store.js'
import { queryParameters } from './query-parameters.js'
import { type Route, route } from './route.js'

export interface WebhookRouteParts {
  readonly events: Pick<Events, 'webhooks' | 'deliveries' | 'resend'>
  readonly projects: Pick<Projects, 'get'>
  readonly cursors: (caller: Caller) => Promise<CallerCursors>
}

const WEBHOOKS = '/api/v1/webhooks'
const WEBHOOK = `${WEBHOOKS}/:webhook_id`

const webhookAnswer = z.strictObject({
  webhook_id: z.string(),
  project_id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  active: z.boolean().meta({ description: 'false while it is paused: what happens meanwhile it never hears' }),
  active_secrets: z.int().meta({ description: '2 while the grace of a rotation lasts' }),
  created_at: z.string(),
  created_by: z.string(),
})

const withSecret = webhookAnswer.extend({
  secret: z.string().meta({ description: 'Verifies the signatures; in this answer only' }),
})

const deliveryAnswer = z.strictObject({
  delivery_id: z.string(),
  event_id: z.string().meta({ description: 'The id in the body and in the header webhook-id' }),
  event: z.string(),
  state: z.enum(['pending', 'delivered', 'dead']),
  attempts: z.int(),
  created_at: z.string(),
  expires_at: z.string().meta({ description: 'Until when it is tried' }),
  next_at: z.string().optional().meta({ description: 'When it is tried next' }),
  attempted_at: z.string().optional(),
  status: z.int().optional().meta({ description: 'The HTTP status of the last answer' }),
  failure: z.string().optional().meta({ description: 'Why there was no answer, in a word' }),
  duration_ms: z.number().optional().meta({ description: 'How long the last attempt took, milliseconds' }),
})

const deliveryQuery = z.strictObject({
  state: z.enum(['pending', 'delivered', 'dead']).optional().meta({ description: 'dead: given up' }),
  limit: limit(50, 500),
  cursor,
})

const position = z.strictObject({ before: z.int() })

function deliveryView({ duration_ms, ...delivery }: Delivery): object {
  const { seq: _seq, project_id: _project, webhook_id: _webhook, ...shown } = delivery
  // Fractions of a millisecond tell nobody anything.
  return { ...shown, ...(duration_ms === undefined ? {} : { duration_ms: Math.round(duration_ms) }) }
}

/** Webhooks of the caller's project, by administrators. What is looked up first decides that 404 comes before 422. */
export function webhookRoutes({ events, projects, cursors }: WebhookRouteParts): readonly Route[] {
  const { webhooks } = events
  const projectOf = (caller: Caller): string => projects.get(caller.project_id).project_id
  return [
    route({
      method: 'GET',
      url: WEBHOOKS,
      access: 'administrator',
      summary: 'List webhooks',
      answer: z.strictObject({ webhooks: z.array(webhookAnswer) }),
      handle: (_, caller) => ({ webhooks: webhooks.list(projectOf(caller)) }),
    }),
    route({
      method: 'POST',
      url: WEBHOOKS,
      access: 'administrator',
      summary: 'Add a webhook',
      description:
        'From now on events of these kinds are sent to the address, signed by the Standard Webhooks scheme, at least once, for 24 hours. The signing secret is in this answer only.',
      status: 201,
      conflicts: 'The project has as many webhooks as it may',
      body: newWebhook,
      answer: withSecret,
      handle: (request, caller) => webhooks.add(projectOf(caller), request.body(), caller.app_name),
    }),
    route({
      method: 'GET',
      url: WEBHOOK,
      access: 'administrator',
      summary: 'Get one webhook',
      answer: webhookAnswer,
      handle: (request, caller) => webhooks.get(projectOf(caller), request.param('webhook_id')),
    }),
    route({
      method: 'PATCH',
      url: WEBHOOK,
      access: 'administrator',
      summary: 'Change a webhook',
      description: '`active: false` pauses it: what happens meanwhile it never hears.',
      body: webhookPatch,
      answer: webhookAnswer,
      handle: (request, caller) => {
        const { webhook_id: id, project_id: projectId } = webhooks.get(projectOf(caller), request.param('webhook_id'))
        return webhooks.patch(projectId, id, request.body())
      },
    }),
    route({
      method: 'DELETE',
      url: WEBHOOK,
      access: 'administrator',
      status: 204,
      summary: 'Remove a webhook',
      description: 'With everything it was still to be told.',
      handle: async (request, caller) => {
        await webhooks.remove(projectOf(caller), request.param('webhook_id'))
        return {}
      },
    }),
    route({
      method: 'POST',
      url: `${WEBHOOK}/rotate`,
      access: 'administrator',
      status: 201,
      summary: 'Rotate the signing secret of a webhook',
      description:
        'For grace_seconds deliveries carry a signature with the new secret and one with the old. The new one is in this answer only.',
      body: secretRotation.prefault({}),
      answer: withSecret,
      handle: (request, caller) => {
        const { webhook_id: id, project_id: projectId } = webhooks.get(projectOf(caller), request.param('webhook_id'))
        return webhooks.rotate(projectId, id, request.body().grace_seconds)
      },
    }),
    route({
      method: 'GET',
      url: `${WEBHOOK}/deliveries`,
      access: 'administrator',
      summary: 'List deliveries of a webhook',
      description: 'Newest first. Of a receiver’s answers only status and duration are kept.',
      query: queryParameters(deliveryQuery),
      answer: z.strictObject({ deliveries: z.array(deliveryAnswer), next_cursor: z.string().optional() }),
      rows: answer => ('deliveries' in answer && Array.isArray(answer.deliveries) ? answer.deliveries.length : 0),
      handle: async (request, caller) => {
        const { webhook_id: id, project_id: projectId } = webhooks.get(projectOf(caller), request.param('webhook_id'))
        const { cursor: from, limit: most, state } = deliveryQuery.parse(request.query())
        const own = await cursors(caller)
        const input = { webhook_id: id, limit: most, state }
        const after = from === undefined ? {} : position.parse(own.open('list_deliveries', input, from))
        const filter = { ...after, limit: most + 1, ...(state === undefined ? {} : { state }) }
        const found = await events.deliveries(projectId, id, filter)
        const page = found.slice(0, most)
        const last = page.at(-1)
        return {
          deliveries: page.map(deliveryView),
          ...(found.length > most && last !== undefined
            ? { next_cursor: own.seal('list_deliveries', input, { before: last.seq }) }
            : {}),
        }
      },
    }),
    route({
      method: 'POST',
      url: `${WEBHOOK}/resend`,
      access: 'administrator',
      summary: 'Send dead letters of a webhook again',
      description: 'All that were given up, behind what waits, for another 24 hours.',
      answer: z.strictObject({ resent: z.int() }),
      handle: async (request, caller) => ({
        resent: await events.resend(projectOf(caller), request.param('webhook_id')),
      }),
    }),
    route({
      method: 'POST',
      url: `${WEBHOOK}/deliveries/:delivery_id/resend`,
      access: 'administrator',
      summary: 'Send one delivery of a webhook again',
      description: 'One that was given up or delivered; one that waits is not found.',
      answer: z.strictObject({ resent: z.int() }),
      handle: async (request, caller) => ({
        resent: await events.resend(projectOf(caller), request.param('webhook_id'), request.param('delivery_id')),
      }),
    }),
  ]
}
