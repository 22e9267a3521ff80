import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { label } from '../../base/label.js'
import { Problem } from '../../base/problem.js'
import type { SecretBox } from '../../base/secret-box.js'
import { echo } from '../../base/text.js'
import type { ImportStore } from '../../store/import-store.js'
import { InProcessTurns } from '../../store/in-process-turns.js'
import type { SharedTurns } from '../../store/shared-turns.js'
import { INBOUND_KINDS, inboundWebhook, type InboundWebhookRecord } from '../../store/records/inbound-webhook.js'
import { type Followed, SharedRecords, type Sharing } from '../../store/shared-records.js'
import { mappingName } from '../mapping/saved-mappings.js'
import { isStandardSecret, type SignedRequest, type Verified, verifyRequest } from './signatures.js'

/** Inbound webhooks that a project has at most. */
const MOST_WEBHOOKS = 20
const ID_BYTES = 16
const SECRET_BYTES = 32

/** How long it is known what was taken: what has no time of its own could be sent again by whoever listened. */
const TAKEN_MS = 30 * 24 * 3_600_000

export const newInboundWebhook = z.strictObject({
  name: label(120).meta({ description: 'Name, for people' }),
  kind: z.enum(INBOUND_KINDS).meta({
    description:
      'By whose scheme requests are signed: standard (Standard Webhooks), twilio, genesys, eventbridge (an API key)',
  }),
  mapping: mappingName.exactOptional().meta({ description: 'Saved mapping by which its bodies are read' }),
  secret: z
    .string()
    .regex(/^[!-~]{16,200}$/, 'must be 16 to 200 printable characters without blanks')
    .exactOptional()
    .meta({ description: 'The secret, where the sender says it: required of twilio (its auth token), else made here' }),
})

interface Parts {
  readonly store: ImportStore
  readonly sharing?: Sharing
  /** Seals secrets. Its key is in a file of its own. */
  readonly box: SecretBox
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The registry of inbound webhooks: in memory, every change in the store first. */
export class InboundWebhooks {
  readonly #parts: Parts
  readonly #records: SharedRecords<InboundWebhookRecord>
  readonly #turns: SharedTurns

  private constructor(parts: Parts) {
    this.#parts = parts
    const { store, sharing } = parts
    this.#turns = sharing?.turns ?? new InProcessTurns()
    this.#records = new SharedRecords({
      kind: 'inbound_webhooks',
      sharing,
      all: () => store.inbound.all(),
      idOf: one => one.webhook_id,
    })
  }

  static async load(parts: Parts): Promise<InboundWebhooks> {
    const webhooks = new InboundWebhooks(parts)
    await webhooks.#records.load()
    return webhooks
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#records
  }

  /** Whatever its project. */
  find(webhookId: string): InboundWebhookRecord | undefined {
    return this.#records.get(webhookId)
  }

  /** Those of a project, oldest first. */
  list(projectId: string) {
    return [...this.#records.values()]
      .filter(one => one.project_id === projectId)
      .toSorted((a, b) => (a.created_at + a.webhook_id < b.created_at + b.webhook_id ? -1 : 1))
      .map(one => inboundWebhook.show(one))
  }

  /** The secret is in the answer where it was made here. @throws Problem `conflict`, `invalid_input` */
  add(projectId: string, { secret: given, ...fields }: z.output<typeof newInboundWebhook>, author: string) {
    return this.#records.run(async () => {
      if (this.list(projectId).length >= MOST_WEBHOOKS) {
        throw new Problem('conflict', `A project has at most ${MOST_WEBHOOKS} inbound webhooks; remove one first`)
      }
      if (fields.kind === 'twilio' && given === undefined) {
        throw new Problem('invalid_input', 'Twilio signs with its own auth token: give it as secret', {
          details: [{ path: 'secret', message: 'is required of twilio' }],
        })
      }
      if (fields.kind === 'standard' && given !== undefined && !isStandardSecret(given)) {
        const message = 'must be base64 after whsec_, as Standard Webhooks has it'
        throw new Problem('invalid_input', `secret ${message}`, { details: [{ path: 'secret', message }] })
      }
      const bytes = randomBytes(SECRET_BYTES)
      const made = fields.kind === 'standard' ? `whsec_${bytes.toString('base64')}` : bytes.toString('hex')
      const webhookId = `in_${randomBytes(ID_BYTES).toString('hex')}`
      const record: InboundWebhookRecord = {
        webhook_id: webhookId,
        project_id: projectId,
        ...fields,
        secret: this.#parts.box.seal(given ?? made, webhookId),
        created_at: new Date(this.#parts.clock()).toISOString(),
        created_by: author,
      }
      await this.#records.put(record, () => this.#parts.store.inbound.put(record))
      return { ...inboundWebhook.show(record), ...(given === undefined && { secret: made }) }
    })
  }

  /** From the next request on nothing is taken by it. @throws Problem `not_found`, also for one of another project */
  remove(projectId: string, webhookId: string): Promise<void> {
    return this.#records.run(async () => {
      if (this.#records.get(webhookId)?.project_id !== projectId) {
        throw new Problem('not_found', `Inbound webhook not found: ${echo(webhookId)}`)
      }
      await this.#records.remove(webhookId, () => this.#parts.store.inbound.remove(projectId, webhookId))
    })
  }

  /** What a request brings; undefined where its signature does not hold. */
  verify(
    { webhook_id: id, kind, secret: sealed }: InboundWebhookRecord,
    request: Omit<SignedRequest, 'now'>,
  ): Verified | undefined {
    const { box, clock } = this.#parts
    const secret = box.open(sealed, id)
    return secret === undefined ? undefined : verifyRequest(kind, { ...request, now: clock() }, secret)
  }

  /**
   * Takes what a request brings, once: what was taken before, in the last 30 days, is not taken again.
   * @param take what is done with the document; where it rejects, the sender may try again
   * @returns undefined for what was taken before
   */
  async take<T>(
    { webhook_id: id }: InboundWebhookRecord,
    { document, identity }: Verified,
    take: (document: Buffer) => Promise<T>,
  ): Promise<T | undefined> {
    const { store, clock } = this.#parts
    const digest = createHash('sha256').update(identity).digest('base64url')
    // One after the other, whichever process is sent it: who comes second finds that it was taken.
    return await this.#turns.pass(`inbound ${id} ${digest}`, async () => {
      if (await store.wasTaken(id, digest)) return undefined
      const now = clock()
      const taken = await take(document)
      await store.take(id, digest, now, now - TAKEN_MS)
      return taken
    })
  }
}
