import type { InboundWebhookRecord } from './records/inbound-webhook.js'
import type { MappingRecord } from './records/mapping.js'
import type { Shelf } from './shelf.js'

/** Keeps what projects' imports are made by. */
export interface ImportStore {
  readonly mappings: Shelf<MappingRecord>
  readonly inbound: Shelf<InboundWebhookRecord>
  /** Whether what has this digest was taken from a webhook already. */
  wasTaken(webhookId: string, digest: string): Promise<boolean>
  /** Notes that it is, and forgets what was taken before an instant. @param at and @param forget are milliseconds since 1970 */
  take(webhookId: string, digest: string, at: number, forget: number): Promise<void>
}
