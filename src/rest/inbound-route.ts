import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type IsTrusted, clientAddress } from '../access/client-address.js'
import { unsigned } from '../access/gate.js'
import { requesterOf } from '../access/requester-of.js'
import { whoOnRecord } from '../access/who-on-record.js'
import { takeBody } from '../admission/take-body.js'
import { audited } from '../activity/audited.js'
import { Problem } from '../base/problem.js'
import { readingOf } from '../ingest/mapping/saved-mappings.js'
import { importUpload } from '../operations/import-calls.js'
import { INBOUND_URL } from '../operations/inbound-webhooks.js'
import type { InboundWebhookRecord } from '../store/records/inbound-webhook.js'
import type { ApiServerParts } from './api-server-parts.js'
import type { RunningRequests } from './running-requests.js'
import { uploadOf } from './upload-of.js'

interface InboundParts extends Pick<ApiServerParts, 'gate' | 'services' | 'admission' | 'trail' | 'settings'> {
  readonly running: RunningRequests
  readonly isTrustedProxy: IsTrusted
}

type Entered = Awaited<ReturnType<NonNullable<ApiServerParts['gate']['enterInbound']>>> & {
  readonly webhook: InboundWebhookRecord
}

/**
 * Takes calls from other products as they happen. No operation: who asks is known when the body is there, by its signature, and
 * senders take any answer of 2xx for a yes. What is not signed, or for a webhook that is not there, is answered alike.
 */
export function addInboundRoute(app: FastifyInstance, parts: InboundParts, maxBytes: number): void {
  const { gate, services, admission, trail, settings, running, isTrustedProxy } = parts
  const entered = new WeakMap<FastifyRequest, Entered>()
  void app.register(async context => {
    context.removeAllContentTypeParsers()
    context.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    context.post<{ Params: { webhook_id: string } }>(INBOUND_URL, {
      bodyLimit: maxBytes,
      onRequest: async (request, reply) => {
        const webhook = services.inbound.find(request.params.webhook_id)
        const address = clientAddress(request.raw, isTrustedProxy)
        const who = webhook && { projectId: webhook.project_id, webhookId: webhook.webhook_id, name: webhook.name }
        const entry = await gate.enterInbound?.(who, address)
        if (webhook === undefined || entry === undefined) throw unsigned()
        entered.set(request, { ...entry, webhook })
        const exchange = { request: request.raw, response: reply.raw }
        takeBody(admission.bodies, requesterOf(entry.caller), exchange, maxBytes)
      },
      handler: async (request, reply) => {
        const entry = entered.get(request)
        if (entry === undefined) throw new Error('A request came past its admission')
        const { caller, webhook } = entry
        const signal = running.begin(reply.raw, webhook.webhook_id)
        await admission.turns.next(requesterOf(caller), signal)
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const { type, encoding } = uploadOf(request.raw)
        if (encoding !== 'identity') throw new Problem('unsupported_media_type', 'Content-Encoding must be identity')
        const page = `POST ${INBOUND_URL}`
        const line = { ...whoOnRecord(caller), request_id: request.id, transport: 'rest', page } as const
        const header = (one: string) => {
          const [value, ...others] = request.raw.headersDistinct[one] ?? []
          return others.length === 0 ? value : undefined
        }
        const signed = { url: addressOf(request, settings.publicUrl), header, type, body }
        const run = async () => {
          const answer = await services.inbound.take(webhook, signed, document => {
            const reading = readingBy(parts, webhook)
            const upload = () => ({
              open: () => Readable.from([document]),
              length: document.length,
              type: 'application/json',
              encoding: 'identity',
            })
            const how = { name: 'body', format: reading.format, restoreErased: false, dryRun: false, reading }
            return importUpload(services, { upload, signal }, caller, how)
          })
          return answer ?? { repeated: true }
        }
        const rows = (answer: object) => ('stored' in answer ? { rows: Number(answer.stored) } : {})
        const measure = (answer: object) => ({ status: 200, ...rows(answer) })
        return await reply.send(await audited(trail, line, run, measure))
      },
    })
  })
}

/** As its mapping says now. */
function readingBy(
  { services }: Pick<InboundParts, 'services'>,
  { project_id: projectId, mapping }: InboundWebhookRecord,
) {
  return mapping === undefined ? {} : readingOf(services.mappings.get(projectId, mapping))
}

/** The address that the sender knows: it is part of what Twilio signs. */
function addressOf({ raw, host }: FastifyRequest, publicUrl: string | undefined): string {
  return `${publicUrl ?? `https://${host}`}${raw.url ?? ''}`
}
