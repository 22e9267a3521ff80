import { closest } from '../base/closest.js'
import { echo } from '../base/text.js'
import type { FieldType } from '../calls/field-type.js'
import { advise } from './advise.js'
import { type ParseContext, type Shape, elementType } from './parse-context.js'
import type { FieldPath } from './path.js'

/** What people (and models) call fields of calls after other answers and other tools, and what they are called here. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['agent', 'agent_name'],
  ['date', 'created_dt'],
  ['timestamp', 'created_dt'],
  ['start_time', 'created_dt'],
  ['call_id', 'session_id'],
  ['interaction_id', 'session_id'],
  ['duration', 'talk_patterns.total_duration_s'],
  ['duration_s', 'talk_patterns.total_duration_s'],
  ['reason', 'interaction_driver'],
  ['topic', 'interaction_driver'],
  ['speaker', 'transcript.actor'],
])

/** Most fields of one name that are suggested, and most fields of a list's documents that are named. */
const MOST_FIELDS = 3
const MOST_LISTED = 12

/**
 * Advises about a field that the documents do not have at this stage, with the closest name. Only advice: a filter on a
 * field that is missing everywhere has a meaning too.
 * @param otherwise what was probably meant, where that was no field
 */
export function adviseField(path: FieldPath, context: ParseContext, otherwise?: string): void {
  const [name] = path
  const { shape } = context
  if (shape === undefined || name === undefined) return
  if (shape.has(name)) return adviseInside(path, shape.get(name), context)
  if (otherwise !== undefined) return advise(context, `there is no field ${echo(name)} at this stage`, otherwise)
  const near = suggested(name, shape)
  const listed = shape.size <= MOST_LISTED ? `; there are ${[...shape.keys()].join(', ')}` : ''
  const hint = near.length === 0 ? listed : `; did you mean ${near.map(one => echo(one)).join(' or ')}?`
  advise(context, `there is no field ${echo(name)} at this stage`, hint)
}

/** Advises about a step of a path that leads nowhere. */
function adviseInside(path: FieldPath, first: FieldType | undefined, context: ParseContext): void {
  let type = first
  for (const [i, part] of path.entries()) {
    if (i === 0) continue
    const inside = elementType(type)
    if (inside === undefined || inside.kind === 'open') return
    // In filters a number may be a place in the list.
    if (/^\d+$/.test(part)) continue
    const before = path.slice(0, i).join('.')
    if (inside.kind !== 'struct') return advise(context, `${before} holds no fields, and so no ${echo(part)}`)
    if (!inside.fields.has(part)) {
      const names = [...inside.fields.keys()]
      const near = closest(part, names)
      const listed = `; ${before} has ${names.slice(0, MOST_LISTED).join(', ')}`
      const hint = near === undefined ? listed : `; did you mean ${echo(`${before}.${near}`)}?`
      return advise(context, `there is no field ${echo(`${before}.${part}`)} at this stage`, hint)
    }
    type = inside.fields.get(part)
  }
}

/** What was probably meant by a name: what is called so elsewhere, lies deeper, is spelled alike, or is of your own. */
function suggested(name: string, shape: Shape): readonly string[] {
  const meant = MEANT.get(name.toLowerCase())
  if (meant !== undefined && shape.has(meant.split('.', 1)[0] ?? '')) return [meant]
  const deeper = [...shape].flatMap(([field, type]) => {
    const inside = elementType(type)
    return inside?.kind === 'struct' && inside.fields.has(name) ? [`${field}.${name}`] : []
  })
  if (deeper.length > 0) return deeper.slice(0, MOST_FIELDS)
  const near = closest(name, shape.keys())
  if (near !== undefined) return [near]
  const open = [...shape].find(([, type]) => type?.kind === 'open')
  return open === undefined ? [] : [`${open[0]}.${name}`]
}
