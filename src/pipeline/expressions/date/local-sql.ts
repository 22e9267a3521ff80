import { bind, sql } from '../../compile/sql.js'
import type { Fragment } from '../../compile/sql.js'
import type { NamedOperand } from '../named.js'
import { readTimeZone } from './time-zone.js'

/**
 * A UTC timestamp as local time in a literal zone, and the way back; `undefined` when the zone is not a literal Olson
 * name. The engine's zone data is ICU's, as is Node's.
 */
export function localSql(
  date: Fragment,
  timezone: NamedOperand | undefined,
): { readonly local: Fragment; readonly toUtc: (local: Fragment) => Fragment } | undefined {
  if (timezone === undefined) return { local: date, toUtc: local => local }
  const zone = typeof timezone.literal === 'string' ? readTimeZone(timezone.literal) : undefined
  if (zone === undefined || /^[+-]/.test(zone)) return undefined
  if (zone === 'UTC') return { local: date, toUtc: local => local }
  const name = sql`${bind(zone, 'VARCHAR')}`
  return {
    local: sql`timezone(${name}, timezone('UTC', ${date}))`,
    toUtc: local => sql`timezone('UTC', timezone(${name}, ${local}))`,
  }
}
