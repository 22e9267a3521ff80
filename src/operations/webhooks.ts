import { z } from 'zod'
import { newWebhook, secretRotation, webhookPatch } from '../events/webhook-fields.js'
import { cursor, limit } from '../questions/arguments.js'
import { type Delivery, delivery, webhookView, webhookWithSecret } from '../store/records/webhook.js'
import { operation } from './operation.js'

const WEBHOOKS = '/api/v1/webhooks'
const WEBHOOK = `${WEBHOOKS}/:webhook_id`

/** Which deliveries to list. */
export const deliveryQuery = z.strictObject({
  state: z.enum(['pending', 'delivered', 'dead']).optional().meta({ description: 'Only these; dead: given up' }),
  limit: limit(50, 500),
  cursor,
})

const position = z.strictObject({ before: z.int() })

function deliveryViewOf(kept: Delivery) {
  const { duration_ms, ...shown } = delivery.show(kept)
  // Fractions of a millisecond tell nobody anything.
  return { ...shown, ...(duration_ms === undefined ? {} : { duration_ms: Math.round(duration_ms) }) }
}

export const listWebhooks = operation({
  method: 'GET',
  url: WEBHOOKS,
  access: 'administrator',
  summary: 'List webhooks',
  table: 'webhooks',
  answer: z.strictObject({ webhooks: z.array(webhookView) }),
  run: ({ events }, _, caller) => ({ webhooks: events.webhooks.list(caller.project_id) }),
})

export const addWebhook = operation({
  method: 'POST',
  url: WEBHOOKS,
  access: 'administrator',
  summary: 'Add a webhook',
  example: { body: { url: 'https://hooks.example.com/earshot', events: ['key.minted'] } },
  description:
    'From now on events of these kinds are sent to the address, signed by the Standard Webhooks scheme, at least once, for 24 hours. The signing secret is in this answer only.',
  status: 201,
  conflicts: 'The project has as many webhooks as it may',
  body: newWebhook,
  answer: webhookWithSecret,
  run: ({ events }, request, caller) => events.webhooks.add(caller.project_id, request.body(), caller.app_name),
})

export const getWebhook = operation({
  method: 'GET',
  url: WEBHOOK,
  access: 'administrator',
  summary: 'Get one webhook',
  answer: webhookView,
  run: ({ events }, request, caller) => events.webhooks.get(caller.project_id, request.param('webhook_id')),
})

export const changeWebhook = operation({
  method: 'PATCH',
  url: WEBHOOK,
  access: 'administrator',
  summary: 'Change a webhook',
  example: { body: { active: false } },
  description: '`active: false` pauses it: what happens meanwhile it never hears.',
  body: webhookPatch,
  answer: webhookView,
  run: ({ events }, request, caller) => {
    const { webhook_id: id, project_id: projectId } = events.webhooks.get(
      caller.project_id,
      request.param('webhook_id'),
    )
    return events.webhooks.patch(projectId, id, request.body())
  },
})

export const removeWebhook = operation({
  method: 'DELETE',
  url: WEBHOOK,
  access: 'administrator',
  status: 204,
  summary: 'Remove a webhook',
  description: 'With everything it was still to be told.',
  run: async ({ events }, request, caller) => {
    await events.webhooks.remove(caller.project_id, request.param('webhook_id'))
    return {}
  },
})

export const rotateWebhookSecret = operation({
  method: 'POST',
  url: `${WEBHOOK}/rotate`,
  access: 'administrator',
  status: 201,
  summary: 'Rotate the signing secret of a webhook',
  example: { body: { grace_seconds: 86_400 } },
  description:
    'For grace_seconds deliveries carry a signature with the new secret and one with the old. The new one is in this answer only.',
  body: secretRotation.prefault({}),
  answer: webhookWithSecret,
  run: ({ events }, request, caller) => {
    const { webhook_id: id, project_id: projectId } = events.webhooks.get(
      caller.project_id,
      request.param('webhook_id'),
    )
    return events.webhooks.rotate(projectId, id, request.body().grace_seconds)
  },
})

export const listDeliveries = operation({
  method: 'GET',
  url: `${WEBHOOK}/deliveries`,
  access: 'administrator',
  summary: 'List deliveries of a webhook',
  example: { query: { state: 'dead', limit: 100 } },
  description: 'Newest first. Of a receiver’s answers only status and duration are kept.',
  query: deliveryQuery,
  table: 'deliveries',
  answer: z.strictObject({ deliveries: z.array(delivery.view), next_cursor: z.string().optional() }),
  rows: answer => ('deliveries' in answer && Array.isArray(answer.deliveries) ? answer.deliveries.length : 0),
  run: async ({ cursors, events }, request, caller) => {
    const { webhook_id: id, project_id: projectId } = events.webhooks.get(
      caller.project_id,
      request.param('webhook_id'),
    )
    const { cursor: from, limit: most, state } = request.query()
    const own = cursors(caller)
    const input = { webhook_id: id, limit: most, state }
    const after = from === undefined ? {} : position.parse(own.open('list_deliveries', input, from))
    const filter = { ...after, limit: most + 1, ...(state === undefined ? {} : { state }) }
    const found = await events.deliveries(projectId, id, filter)
    const page = found.slice(0, most)
    const last = page.at(-1)
    return {
      deliveries: page.map(deliveryViewOf),
      ...(found.length > most && last !== undefined
        ? { next_cursor: own.seal('list_deliveries', input, { before: last.seq }) }
        : {}),
    }
  },
})

export const resendDeadLetters = operation({
  method: 'POST',
  url: `${WEBHOOK}/resend`,
  access: 'administrator',
  summary: 'Send dead letters of a webhook again',
  description: 'All that were given up, behind what waits, for another 24 hours.',
  answer: z.strictObject({ resent: z.int() }),
  run: async ({ events }, request, caller) => ({
    resent: await events.resend(caller.project_id, request.param('webhook_id')),
  }),
})

export const resendDelivery = operation({
  method: 'POST',
  url: `${WEBHOOK}/deliveries/:delivery_id/resend`,
  access: 'administrator',
  summary: 'Send one delivery of a webhook again',
  description: 'One that was given up or delivered; one that waits is not found.',
  answer: z.strictObject({ resent: z.int() }),
  run: async ({ events }, request, caller) => ({
    resent: await events.resend(caller.project_id, request.param('webhook_id'), request.param('delivery_id')),
  }),
})

/** Webhooks of the caller's project, by administrators. What is looked up first decides that 404 comes before 422. */
export const webhookOperations = [
  listWebhooks,
  addWebhook,
  getWebhook,
  changeWebhook,
  removeWebhook,
  rotateWebhookSecret,
  listDeliveries,
  resendDeadLetters,
  resendDelivery,
] as const
