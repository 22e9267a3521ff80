import { z } from 'zod'
import { parsedJson } from '../base/parsed-json.js'
import type { SecretBox } from '../base/secret-box.js'
import { readRegistration } from './read-registration.js'

const PREFIX = 'client_'

/** What an id is sealed for, so that nothing else that is sealed here is taken for one. */
const BOUND = 'the id of a client'

/** What of a registration an id holds: what is not the same for nearly every client. */
const held = z.object({
  redirect_uris: z.array(z.string()),
  client_name: z.string().optional(),
  application_type: z.literal('web').optional().catch(undefined),
  grant_types: z.array(z.string()).length(1).optional().catch(undefined),
})

/**
 * The ids of clients that register: each is its registration, sealed. So nothing of who lets nobody in is kept, and nobody is
 * forgotten: clients remember their id for good, whenever they finish.
 */
export class ClientIds {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  /** @param registration as `readRegistration` gives it */
  idOf(registration: unknown): string {
    return `${PREFIX}${this.#box.seal(JSON.stringify(held.parse(registration)), BOUND)}`
  }

  /** The registration that an id is; undefined where it is none, or was sealed with another key. */
  registrationOf(id: string): Readonly<Record<string, unknown>> | undefined {
    const sealed = id.startsWith(PREFIX) ? this.#box.open(id.slice(PREFIX.length), BOUND) : undefined
    if (sealed === undefined) return undefined
    const read = readRegistration(parsedJson(sealed))
    return 'error' in read ? undefined : { ...read.metadata, client_id: id }
  }
}
