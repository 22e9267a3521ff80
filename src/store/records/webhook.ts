import { z } from 'zod'
import type { Immutable } from '../../base/immutable.js'
import { hidden, record, shown } from './record.js'

/** A signing secret as it is kept: encrypted with a key that is not in the store. */
const sealedSecret = z.strictObject({
  sealed: z.string(),
  created_at: z.string(),
  /** Absent on the newest one. */
  expires_at: z.string().exactOptional(),
})
export type SealedSecret = Immutable<z.output<typeof sealedSecret>>

/** Somewhere that wants to be told of a project's events. */
export const webhook = record({
  webhook_id: shown(z.string()),
  project_id: shown(z.string()),
  url: shown(z.string()),
  /** Names of the kinds of events it wants. */
  events: shown(z.array(z.string())),
  active: shown(z.boolean().meta({ description: 'false while it is paused: what happens meanwhile it never hears' })),
  /** Newest first; the first signs, the others too until they end. */
  secrets: hidden(z.array(sealedSecret)),
  created_at: shown(z.string()),
  created_by: shown(z.string()),
})
export type WebhookRecord = Immutable<z.output<typeof webhook.stored>>

const { created_at, created_by, ...described } = webhook.view.shape

/** A webhook as it is shown: of its secrets only how many sign. */
export const webhookView = z.strictObject({
  ...described,
  active_secrets: z.int().meta({ description: '2 while the grace of a rotation lasts' }),
  created_at,
  created_by,
})
export type WebhookView = Immutable<z.output<typeof webhookView>>

/** A webhook with its new signing secret, which is shown this once. */
export const webhookWithSecret = webhookView.extend({
  secret: z.string().meta({ description: 'Verifies the signatures; in this answer only' }),
})
export type WebhookWithSecret = Immutable<z.output<typeof webhookWithSecret>>

/** @param now milliseconds since 1970 */
export function webhookViewOf(kept: WebhookRecord, now: number): WebhookView {
  return {
    ...webhook.show(kept),
    active_secrets: kept.secrets.filter(({ expires_at: end }) => secretLasts(end, now)).length,
  }
}

/** Whether a secret still signs. @param now milliseconds since 1970 */
export function secretLasts(end: string | undefined, now: number): boolean {
  return end === undefined || Date.parse(end) > now
}

/** An event on its way to one webhook, with what became of it. */
export const delivery = record({
  seq: hidden(z.int()),
  delivery_id: shown(z.string()),
  project_id: hidden(z.string()),
  webhook_id: hidden(z.string()),
  event_id: shown(z.string().meta({ description: 'The id in the body and in the header webhook-id' })),
  event: shown(z.string()),
  state: shown(z.enum(['pending', 'delivered', 'dead'])),
  attempts: shown(z.int()),
  created_at: shown(z.string()),
  expires_at: shown(z.string().meta({ description: 'Until when it is tried' })),
  next_at: shown(z.string().exactOptional().meta({ description: 'When it is tried next' })),
  attempted_at: shown(z.string().exactOptional()),
  status: shown(z.int().exactOptional().meta({ description: 'The HTTP status of the last answer' })),
  failure: shown(z.string().exactOptional().meta({ description: 'Why there was no answer, in a word' })),
  duration_ms: shown(z.number().exactOptional().meta({ description: 'How long the last attempt took, milliseconds' })),
})
/** A delivery as it is listed: without its body. */
export type Delivery = Immutable<z.output<typeof delivery.stored>>
export type DeliveryState = Delivery['state']
