import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type IsTrusted, clientAddress } from '../access/client-address.js'
import { unsigned } from '../access/gate.js'
import { refuseOnRecord } from '../access/refuse-on-record.js'
import { RefusedEntry } from '../access/refused-entry.js'
import { requesterOf } from '../access/requester-of.js'
import { whoOnRecord } from '../access/who-on-record.js'
import { strangerAt } from '../admission/loop-turns.js'
import type { Share } from '../admission/shares.js'
import { takeBody } from '../admission/take-body.js'
import { audited } from '../activity/audited.js'
import { onBeat } from '../base/on-beat.js'
import { Problem } from '../base/problem.js'
import type { SignedRequest } from '../ingest/inbound/signatures.js'
import { readingOf } from '../ingest/mapping/saved-mappings.js'
import { importUpload } from '../operations/import-calls.js'
import { INBOUND_URL } from '../operations/inbound-webhooks.js'
import type { InboundWebhookRecord } from '../store/records/inbound-webhook.js'
import type { ApiServerParts } from './api-server-parts.js'
import { countedBody } from './counted-body.js'
import type { RunningRequests } from './running-requests.js'
import { uploadOf } from './upload-of.js'

interface InboundParts extends Pick<ApiServerParts, 'gate' | 'services' | 'admission' | 'trail' | 'settings'> {
  readonly running: RunningRequests
  readonly isTrustedProxy: IsTrusted
}

/**
 * Takes calls from other products as they happen. No operation: who asks is known when the body is there, by its signature, and
 * senders take any answer of 2xx for a yes. What is not signed, or for a webhook that is not there, is answered alike, and until
 * the signature holds whoever sends is a stranger at an address, who takes of no webhook's room, turns or rate.
 */
export function addInboundRoute(app: FastifyInstance, parts: InboundParts, maxBytes: number): void {
  const { services, admission, trail, running, isTrustedProxy } = parts
  const bodies = new WeakMap<FastifyRequest, Share>()
  const page = `POST ${INBOUND_URL}`
  void app.register(async context => {
    context.removeAllContentTypeParsers()
    context.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    context.post<{ Params: { webhook_id: string } }>(INBOUND_URL, {
      bodyLimit: maxBytes,
      onRequest: async (request, reply) => {
        const stranger = strangerAt(clientAddress(request.raw, isTrustedProxy))
        bodies.set(
          request,
          takeBody(admission.bodies, stranger, { request: request.raw, response: reply.raw }, maxBytes),
        )
      },
      preParsing: (request, _reply, payload, done) => {
        done(null, countedBody(request, payload, bodies.get(request)))
      },
      handler: async (request, reply) => {
        const webhook = services.inbound.find(request.params.webhook_id)
        const address = clientAddress(request.raw, isTrustedProxy)
        const signal = running.begin(reply.raw, webhook?.webhook_id ?? '')
        await admission.turns.next(strangerAt(address), signal)
        const began = performance.now()
        const entry = await enter(parts, webhook, request, address).catch(async (error: unknown) => {
          if (error instanceof RefusedEntry) {
            const asked = { page, requestId: request.id, transport: 'rest' } as const
            const refused = refuseOnRecord(trail, error, error.who, asked)
            if (error.code !== 'unauthenticated') return await refused
            // Who waited for the line would know that there is such a webhook. That the trail is out is told by its health.
            refused.catch(() => undefined)
          }
          // To look at a signature, and to write the line, takes time that nobody else's refusal takes.
          await onBeat(began)
          throw error
        })
        const { caller, signed } = entry
        await admission.turns.next(requesterOf(caller), signal)
        const line = { ...whoOnRecord(caller), request_id: request.id, transport: 'rest', page } as const
        const run = async () => {
          if (uploadOf(request.raw).encoding !== 'identity')
            throw new Problem('unsupported_media_type', 'Content-Encoding must be identity')
          const answer = await services.inbound.take(entry.webhook, signed, document => {
            const reading = readingBy(parts, entry.webhook)
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
        return await reply.send(await audited(trail, line, run, { measure }))
      },
    })
  })
}

/** Lets whoever signed what came for a webhook in. @throws Problem as the gate does */
async function enter(
  { gate, services, settings }: InboundParts,
  webhook: InboundWebhookRecord | undefined,
  request: FastifyRequest,
  address: string,
) {
  const sender = webhook && { projectId: webhook.project_id, webhookId: webhook.webhook_id, name: webhook.name }
  const verify = () => webhook && services.inbound.verify(webhook, asSigned(request, settings.publicUrl))
  const entry = await gate.enterInbound?.(sender, verify, address)
  if (webhook === undefined || entry === undefined) throw unsigned()
  return { ...entry, webhook }
}

function asSigned(request: FastifyRequest, publicUrl: string | undefined): Omit<SignedRequest, 'now'> {
  const header = (name: string) => {
    const [value, ...others] = request.raw.headersDistinct[name] ?? []
    return others.length === 0 ? value : undefined
  }
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return { url: addressOf(request, publicUrl), header, type: uploadOf(request.raw).type, body }
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
