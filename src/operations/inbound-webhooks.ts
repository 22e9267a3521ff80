import { z } from 'zod'
import { newInboundWebhook } from '../ingest/inbound/inbound-webhooks.js'
import { inboundWebhook } from '../store/records/inbound-webhook.js'
import { operation } from './operation.js'

const WEBHOOKS = '/api/v1/inbound-webhooks'

/** Where requests come to, below the API's address. */
export const INBOUND_URL = '/hooks/:webhook_id'

const path = z.string().meta({ description: 'Where requests come to, below the address of the API' })
const view = inboundWebhook.view.extend({ path })
const shown = <T extends { readonly webhook_id: string }>(one: T) => ({
  ...one,
  path: INBOUND_URL.replace(':webhook_id', one.webhook_id),
})

export const listInboundWebhooks = operation({
  method: 'GET',
  url: WEBHOOKS,
  access: 'administrator',
  summary: 'List inbound webhooks',
  table: 'webhooks',
  answer: z.strictObject({ webhooks: z.array(view) }),
  run: ({ inbound }, _, { project_id: projectId }) => ({ webhooks: inbound.list(projectId).map(shown) }),
})

export const addInboundWebhook = operation({
  method: 'POST',
  url: WEBHOOKS,
  access: 'administrator',
  status: 201,
  summary: 'Add an inbound webhook',
  description:
    'An address that another product sends calls to as they happen. Requests are taken with its signature only, each once, and read as an import reads a file. The secret is in this answer only.',
  example: { body: { name: 'Calls of the PBX', kind: 'standard' } },
  conflicts: 'The project has as many inbound webhooks as it may',
  body: newInboundWebhook,
  answer: view.extend({
    secret: z
      .string()
      .optional()
      .meta({ description: 'Signs the requests; in this answer only, where it was made here' }),
  }),
  run: async ({ inbound, mappings }, request, { project_id: projectId, app_name: by }) => {
    const fields = request.body()
    if (fields.mapping !== undefined) mappings.get(projectId, fields.mapping)
    return shown(await inbound.add(projectId, fields, by))
  },
})

export const removeInboundWebhook = operation({
  method: 'DELETE',
  url: `${WEBHOOKS}/:webhook_id`,
  access: 'administrator',
  status: 204,
  summary: 'Remove an inbound webhook',
  description: 'Nothing more is taken by it.',
  run: async ({ inbound }, request, { project_id: projectId }) => {
    await inbound.remove(projectId, request.param('webhook_id'))
    return {}
  },
})

export const inboundOperations = [listInboundWebhooks, addInboundWebhook, removeInboundWebhook]
