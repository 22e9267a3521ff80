import { createHash, randomBytes } from 'node:crypto'
import type { NewDelivery } from '../store/event-store.js'
import type { WebhookRecord } from '../store/records/webhook.js'
import { eventKinds, type NewEvent } from './event-kinds.js'
import type { EventKind } from './kinds/event-kind.js'

/** How long a delivery is tried, in milliseconds. */
export const TRIED_MS = 24 * 3_600_000

/**
 * What webhooks are to be told of an event: one body, the same for all and at every attempt.
 * @param now milliseconds since 1970
 * @throws Error when the payload is not what its kind allows: it must not leave
 */
export function deliveriesOf(
  { event, project_id, data, occasion }: NewEvent,
  webhooks: readonly WebhookRecord[],
  now: number,
): readonly NewDelivery[] {
  if (webhooks.length === 0) return []
  const kind: EventKind = eventKinds[event]
  const checked = kind.data.parse(data)
  const event_id = `evt_${occasion === undefined ? randomBytes(12).toString('hex') : derived(project_id, event, occasion)}`
  const created_at = new Date(now).toISOString()
  const body = JSON.stringify({ id: event_id, event, timestamp: created_at, data: checked })
  return webhooks.map(({ webhook_id }) => ({
    delivery_id: `dlv_${randomBytes(12).toString('hex')}`,
    project_id,
    webhook_id,
    event_id,
    event,
    subject: kind.subject(checked),
    body,
    created_at,
    expires_at: new Date(now + TRIED_MS).toISOString(),
  }))
}

const derived = (...of: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 24)
