import { type Fragment, bind, sql } from '../../compile/sql.js'
import type { SqlExpression } from '../../compile/types.js'
import { readTimeZone } from './time-zone.js'

/** A zone in the engine: local time of a UTC timestamp, and the way back. */
export interface ZoneSql {
  toLocal(date: Fragment): Fragment
  fromLocal(local: Fragment): Fragment
  /** Minutes ahead of UTC, where that never changes. */
  readonly offset: number | undefined
}

const UTC: ZoneSql = { toLocal: date => date, fromLocal: local => local, offset: 0 }

function fixed(zone: string): ZoneSql {
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  const offset = (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
  const shift = sql`to_minutes(${bind(BigInt(offset), 'BIGINT')})`
  return { toLocal: date => sql`(${date} + ${shift})`, fromLocal: local => sql`(${local} - ${shift})`, offset }
}

function named(zone: string): ZoneSql {
  const name = sql`${bind(zone, 'VARCHAR')}`
  const toLocal = (date: Fragment) => sql`timezone(${name}, timezone('UTC', ${date}))`
  return {
    toLocal,
    fromLocal: local => {
      const instant = sql`timezone('UTC', timezone(${name}, ${local}))`
      // Of two instants with one local time the engine takes the second.
      const hourBefore = sql`(${instant} - interval 1 hour)`
      return sql`(case when ${toLocal(hourBefore)} = ${local} then ${hourBefore} else ${instant} end)`
    },
    offset: undefined,
  }
}

/**
 * The zone of a timezone argument, which must be a literal; UTC when there is none. The engine's zone data is ICU's,
 * as is Node's.
 */
export function zoneSql(timezone: SqlExpression | undefined): ZoneSql | undefined {
  if (timezone === undefined) return UTC
  const zone = typeof timezone.literal === 'string' ? readTimeZone(timezone.literal) : undefined
  if (zone === undefined) return undefined
  if (zone === 'UTC') return UTC
  return /^[+-]/.test(zone) ? fixed(zone) : named(zone)
}
