import { type DuckDBValue, DuckDBTimestampValue } from '@duckdb/node-api'
import type { ActivityUser, UserFilter } from '../../activity-store.js'

/** A condition over the table `activity` and the values it binds, from $1 on. */
export interface ActivityWhere {
  readonly sql: string
  readonly values: DuckDBValue[]
}

/** An instant, as ISO text or milliseconds since 1970, for a TIMESTAMP. */
export function timestamp(instant: string | number): DuckDBTimestampValue {
  const ms = typeof instant === 'string' ? Date.parse(instant) : instant
  return new DuckDBTimestampValue(BigInt(ms) * 1000n)
}

/** The sources under which users appear. */
export const SOURCE: Readonly<Record<ActivityUser['kind'], string>> = {
  application_key: 'application_key',
  admin: 'admin_token',
}

/**
 * The one place that says which events reads may count: one project's, not the operator's, none by whoever was a
 * SuperAdmin at the time.
 */
export function activityWhere(filter: UserFilter): ActivityWhere {
  const values: DuckDBValue[] = [filter.projectId]
  const parts = [
    'project_id = $1',
    `source in ('${SOURCE.application_key}', '${SOURCE.admin}')`,
    `not list_contains(roles, 'SuperAdmin')`,
  ]
  const add = (condition: string, value: DuckDBValue) => parts.push(`${condition} $${values.push(value)}`)
  if (filter.from !== undefined) add('"at" >=', timestamp(filter.from))
  if (filter.until !== undefined) add('"at" <', timestamp(filter.until))
  if (filter.upTo !== undefined) add('seq <=', BigInt(filter.upTo))
  if (filter.user !== undefined) {
    add('source =', SOURCE[filter.user.kind])
    add('credential_id =', filter.user.credential_id)
  }
  return { sql: parts.join(' and '), values }
}
