import { randomBytes } from 'node:crypto'
import { Problem } from '../base/problem.js'
import type { SecretBox } from '../base/secret-box.js'
import { echo } from '../base/text.js'
import type { EventStore } from '../store/event-store.js'
import {
  type SealedSecret,
  secretLasts,
  type WebhookRecord,
  type WebhookView,
  webhookViewOf,
  type WebhookWithSecret,
} from '../store/records/webhook.js'
import { type Followed, SharedRecords, type Sharing } from '../store/shared-records.js'
import type { EventName } from './event-kinds.js'
import type { NewWebhook, WebhookPatch } from './webhook-fields.js'

/** Most webhooks of a project: each event is a row for every one that wants it. */
export const MOST_WEBHOOKS = 20
/** Bytes of a signing secret: within what Standard Webhooks asks for (24–64). */
const SECRET_BYTES = 32

interface WebhooksParts {
  readonly store: Pick<EventStore, 'webhooks' | 'deliveries'>
  readonly sharing?: Sharing | undefined
  /** Seals signing secrets. Its key is in a file of its own: whoever has only the store, or a copy, can sign nothing. */
  readonly box: SecretBox
  /** @throws Problem when an address may not be told anything */
  readonly checkUrl: (url: string) => void
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The registry of webhooks: in memory, every change in the store first. */
export class Webhooks {
  readonly #parts: WebhooksParts
  readonly #records: SharedRecords<WebhookRecord>
  readonly #listeners = new Set<(webhookId: string) => void>()

  private constructor(parts: WebhooksParts) {
    this.#parts = parts
    const { store, sharing } = parts
    this.#records = new SharedRecords({
      kind: 'webhooks',
      sharing,
      all: () => store.webhooks.all(),
      idOf: one => one.webhook_id,
      kept: (after, before) => this.#tell((after ?? before)?.webhook_id ?? ''),
    })
  }

  /** Reads every webhook of the store. */
  static async load(parts: WebhooksParts): Promise<Webhooks> {
    const webhooks = new Webhooks(parts)
    await webhooks.#records.load()
    return webhooks
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#records
  }

  /** Those of a project that want an event. */
  wanting(projectId: string, event: EventName): readonly WebhookRecord[] {
    return this.#of(projectId).filter(({ active, events }) => active && events.includes(event))
  }

  /** Every active webhook of the installation. */
  active(): readonly WebhookRecord[] {
    return [...this.#records.values()].filter(({ active }) => active)
  }

  /** One that is there and not paused, whatever its project. */
  findActive(webhookId: string): WebhookRecord | undefined {
    const webhook = this.#records.get(webhookId)
    return webhook?.active === true ? webhook : undefined
  }

  /** The secrets that sign now, newest first; without those that the key in the data directory does not open. */
  secretsOf({ webhook_id: id, secrets }: WebhookRecord): readonly string[] {
    const now = this.#parts.clock()
    return secrets
      .filter(({ expires_at: end }) => secretLasts(end, now))
      .flatMap(({ sealed }) => this.#parts.box.open(sealed, id) ?? [])
  }

  /** The webhooks of a project, oldest first. */
  list(projectId: string): readonly WebhookView[] {
    return this.#of(projectId)
      .toSorted((a, b) => (a.created_at + a.webhook_id < b.created_at + b.webhook_id ? -1 : 1))
      .map(webhook => this.#view(webhook))
  }

  /** @throws Problem `not_found`, also for a webhook of another project */
  get(projectId: string, webhookId: string): WebhookView {
    return this.#view(this.#find(projectId, webhookId))
  }

  /** @throws Problem `conflict` when the project has as many as it may */
  add(projectId: string, fields: NewWebhook, author: string): Promise<WebhookWithSecret> {
    return this.#records.run(async () => {
      this.#parts.checkUrl(fields.url)
      if (this.#of(projectId).length >= MOST_WEBHOOKS) {
        throw new Problem('conflict', `A project has at most ${MOST_WEBHOOKS} webhooks; remove one first`)
      }
      const webhookId = `wh_${randomBytes(12).toString('hex')}`
      const { secret, sealed } = this.#newSecret(webhookId)
      const webhook: WebhookRecord = {
        webhook_id: webhookId,
        project_id: projectId,
        url: fields.url,
        events: fields.events,
        active: true,
        secrets: [sealed],
        created_at: sealed.created_at,
        created_by: author,
      }
      await this.#put(webhook)
      return { ...this.#view(webhook), secret }
    })
  }

  /** Changes the fields that are given. @throws Problem `not_found` */
  patch(projectId: string, webhookId: string, patch: WebhookPatch): Promise<WebhookView> {
    return this.#records.run(async () => {
      const webhook = this.#find(projectId, webhookId)
      if (patch.url !== undefined) this.#parts.checkUrl(patch.url)
      const next: WebhookRecord = {
        ...webhook,
        url: patch.url ?? webhook.url,
        events: patch.events ?? webhook.events,
        active: patch.active ?? webhook.active,
      }
      await this.#put(next)
      return this.#view(next)
    })
  }

  /** Replaces the secret; the old one signs too for `graceSeconds`. A still older one ends at once. */
  rotate(projectId: string, webhookId: string, graceSeconds: number): Promise<WebhookWithSecret> {
    return this.#records.run(async () => {
      const webhook = this.#find(projectId, webhookId)
      const { secret, sealed } = this.#newSecret(webhookId)
      const end = new Date(this.#parts.clock() + graceSeconds * 1000).toISOString()
      const [current] = webhook.secrets
      const old = current === undefined || graceSeconds === 0 ? [] : [{ ...current, expires_at: end }]
      const next = { ...webhook, secrets: [sealed, ...old] }
      await this.#put(next)
      return { ...this.#view(next), secret }
    })
  }

  /** Removes a webhook and everything it was still to be told. @throws Problem `not_found` */
  async remove(projectId: string, webhookId: string): Promise<void> {
    const { store } = this.#parts
    await this.#records.run(async () => {
      this.#find(projectId, webhookId)
      await this.#records.remove(webhookId, () => store.webhooks.remove(projectId, webhookId))
    })
    // Behind the turn: it waits for the lane of the project, for which the webhooks of others must not.
    await store.deliveries.removeWebhook(projectId, webhookId)
  }

  /**
   * Removes what webhooks that are gone were still to be told: another process may have raised it before it knew, or the one that removed
   * them was killed in between.
   */
  async removeLeft(): Promise<void> {
    const { store } = this.#parts
    // Read before those that are there: who is not among these was there once, and never is again.
    const waiting = await store.deliveries.waiting()
    const there = new Set((await store.webhooks.all()).map(one => one.webhook_id))
    for (const { project_id: projectId, webhook_id: id } of waiting) {
      // oxlint-disable-next-line no-await-in-loop -- few are gone
      if (!there.has(id)) await store.deliveries.removeWebhook(projectId, id)
    }
  }

  /** Hears of every webhook that is new, changed or gone. @returns a function that stops it */
  onChange(listener: (webhookId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #of(projectId: string): readonly WebhookRecord[] {
    return [...this.#records.values()].filter(webhook => webhook.project_id === projectId)
  }

  #find(projectId: string, webhookId: string): WebhookRecord {
    const webhook = this.#records.get(webhookId)
    if (webhook?.project_id !== projectId) throw new Problem('not_found', `Webhook not found: ${echo(webhookId)}`)
    return webhook
  }

  #view(webhook: WebhookRecord): WebhookView {
    return webhookViewOf(webhook, this.#parts.clock())
  }

  async #put(webhook: WebhookRecord): Promise<void> {
    await this.#records.put(webhook, () => this.#parts.store.webhooks.put(webhook))
  }

  #tell(webhookId: string): void {
    for (const listener of this.#listeners) listener(webhookId)
  }

  #newSecret(webhookId: string): { readonly secret: string; readonly sealed: SealedSecret } {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
    const created_at = new Date(this.#parts.clock()).toISOString()
    return { secret, sealed: { sealed: this.#parts.box.seal(secret, webhookId), created_at } }
  }
}
