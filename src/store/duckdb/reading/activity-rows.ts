import { z } from 'zod'
import type { ActivityUser, RecentActivity, UserActivity } from '../../activity-store.js'

const kind = z
  .enum(['application_key', 'admin_token'])
  .transform((source): ActivityUser['kind'] => (source === 'admin_token' ? 'admin' : source))
const instant = z.date().transform(date => date.toISOString())
const count = z.bigint().transform(Number)

const userRow = z.tuple([kind, z.string(), z.string(), count, instant, instant])

/** Source, credential, name, requests, first and last time, as the engine's row gives them. */
export function userActivityOf(row: readonly unknown[]): UserActivity {
  const [source, credential_id, name, requests, first_seen, last_seen] = userRow.parse(row)
  return { user: { name, kind: source, credential_id }, requests, first_seen, last_seen }
}

const recentRow = z.tuple([
  count,
  instant,
  kind,
  z.string(),
  z.string(),
  z.string(),
  z.enum(['ok', 'refused', 'error']),
  z.number(),
])

/** Number, time, source, credential, name, page, outcome and duration, as the engine's row gives them. */
export function recentOf(row: readonly unknown[]): RecentActivity {
  const [seq, at, source, credential_id, name, page, outcome, duration_ms] = recentRow.parse(row)
  return { seq, at, user: { name, kind: source, credential_id }, page, outcome, duration_ms }
}
