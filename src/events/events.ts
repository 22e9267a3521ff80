import type { EventStore } from '../store/event-store.js'
import { deliveriesOf } from './deliveries-of.js'
import type { NewEvent } from './event-kinds.js'
import type { EventPort } from './event-port.js'
import { callSubject } from './kinds/event-kind.js'
import { SecretBox } from './secret-box.js'
import { Webhooks } from './webhooks.js'

export interface EventsParts {
  readonly store: EventStore
  /** Key of the signing secrets: 32 bytes in base64url. */
  readonly secret: string
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number
}

/** What happens in projects, and who is to be told. */
export class Events implements EventPort {
  readonly webhooks: Webhooks
  readonly #store: EventStore
  readonly #clock: () => number

  private constructor(store: EventStore, clock: () => number, webhooks: Webhooks) {
    this.#store = store
    this.#clock = clock
    this.webhooks = webhooks
  }

  static async load({ store, secret, clock = Date.now }: EventsParts): Promise<Events> {
    const box = new SecretBox(secret)
    return new Events(store, clock, await Webhooks.load({ store, box, clock, checkUrl: () => undefined }))
  }

  async raise(event: NewEvent): Promise<void> {
    const wanting = this.webhooks.wanting(event.project_id, event.event)
    await this.#store.deliveries.add(deliveriesOf(event, wanting, this.#clock()))
  }

  /** Deletes everything about a call that is kept for webhooks, and its feedback: part of erasing it. */
  async forget(projectId: string, sessionId: string): Promise<void> {
    await this.#store.forget(projectId, sessionId, callSubject(sessionId))
  }
}
