import { z } from 'zod'
import type { Delivery } from '../../records/webhook.js'
import type { PendingDelivery } from '../../event-store.js'

const seq = z.bigint().transform(Number)
const text = z.string()

const pendingRow = z.tuple([seq, text, text, text, text, text, text, text, z.int(), text, text, text])

const deliveryRow = z.tuple([
  seq,
  text,
  text,
  text,
  text,
  text,
  z.enum(['pending', 'delivered', 'dead']),
  z.int(),
  text,
  text,
  text,
  text.nullable(),
  z.int().nullable(),
  text.nullable(),
  z.number().nullable(),
])

/** A row of what is still to be told. */
export function pendingOf(row: readonly unknown[]): PendingDelivery {
  const [seq, delivery_id, project_id, webhook_id, event_id, event, subject, body, ...rest] = pendingRow.parse(row)
  const [attempts, created_at, expires_at, next_at] = rest
  return {
    seq,
    delivery_id,
    project_id,
    webhook_id,
    event_id,
    event,
    subject,
    body,
    attempts,
    created_at,
    expires_at,
    next_at,
  }
}

/** A row of the history, as it is shown. */
export function deliveryOf(row: readonly unknown[]): Delivery {
  const [seq, delivery_id, project_id, webhook_id, event_id, event, state, attempts, ...rest] = deliveryRow.parse(row)
  const [created_at, expires_at, next_at, attempted_at, status, failure, duration_ms] = rest
  return {
    seq,
    delivery_id,
    project_id,
    webhook_id,
    event_id,
    event,
    state,
    attempts,
    created_at,
    expires_at,
    ...(state === 'pending' ? { next_at } : {}),
    ...(attempted_at === null ? {} : { attempted_at }),
    ...(status === null ? {} : { status }),
    ...(failure === null ? {} : { failure }),
    ...(duration_ms === null ? {} : { duration_ms }),
  }
}
