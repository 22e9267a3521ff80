import { isObject } from '../base/is-object.js'
import type { NamedValues } from './named-values.js'

/** Fields that filters name someone or something by, and what other tools call the argument. */
const NAMED = { agent_name: 'agent_name', agent_id: 'agent_id', interaction_driver: 'driver' } as const

/** The field of a call that holds what an argument names. */
export const fieldNamed: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMED).map(([field, name]) => [name, field]),
)

/** Names that the filter a pipeline begins with asks for, each as it is written. */
export function namesInFilter(pipeline: unknown): NamedValues {
  const first: unknown = Array.isArray(pipeline) ? pipeline[0] : undefined
  const filter = isObject(first) ? first['$match'] : undefined
  if (!isObject(filter)) return {}
  const names = Object.entries(NAMED).flatMap(([field, name]) => {
    const condition = filter[field]
    const value = isObject(condition) ? condition['$eq'] : condition
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(names)
}
