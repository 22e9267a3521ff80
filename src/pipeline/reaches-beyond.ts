import { isObject } from '../base/is-object.js'
import { readInstant } from './extended-json.js'
import { pinnedSession } from './pinned-session.js'
import type { Pipeline } from './pipeline.js'

/**
 * Whether a pipeline asks for calls that are dated after its request: one of the $match stages it begins with compares
 * `created_dt` with an instant after it, at whatever depth of $and and $or, or names one session. Anything else, such as an
 * expression, does not count, since what it compares is not known before it runs.
 */
export function reachesBeyond({ stages, now }: Pipeline): boolean {
  const others = stages.findIndex(({ name }) => name !== '$match')
  const filters = others === -1 ? stages : stages.slice(0, others)
  return filters.some(stage => pinnedSession(stage) !== undefined || comparesBeyond(stage.toJson(), now.getTime()))
}

function comparesBeyond(filter: unknown, now: number): boolean {
  if (Array.isArray(filter)) return filter.some(one => comparesBeyond(one, now))
  if (!isObject(filter)) return false
  return Object.entries(filter).some(([name, condition]) => {
    if (name === '$expr') return false
    return name === 'created_dt' ? latestIn(condition) > now : name.startsWith('$') && comparesBeyond(condition, now)
  })
}

/** The last instant a condition names, milliseconds since 1970; -Infinity without one. */
function latestIn(condition: unknown): number {
  if (Array.isArray(condition)) return Math.max(-Infinity, ...condition.map(latestIn))
  if (!isObject(condition)) return -Infinity
  const { $date: date } = condition
  if (typeof date === 'string') return readInstant(date)?.getTime() ?? -Infinity
  if (isObject(date)) return Number(date['$numberLong'])
  return Math.max(-Infinity, ...Object.values(condition).map(latestIn))
}
