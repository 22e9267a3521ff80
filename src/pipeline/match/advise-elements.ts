import { echo } from '../../base/text.js'
import { advise } from '../advise.js'
import { type ParseContext, type Shape, listOn, typeAt } from '../parse-context.js'

/** A field of the documents in a list: where the list is, and the rest of the path. */
interface InList {
  readonly list: string
  readonly field: string
}

/** The outermost list of documents on a path, when the path goes into it. */
function inList(name: string, shape: Shape): InList | undefined {
  const path = name.split('.')
  const list = listOn(shape, path)
  if (list === undefined || list.length === path.length) return undefined
  if (typeAt(shape, path.slice(0, list.length + 1)) === undefined) return undefined
  return { list: list.join('.'), field: path.slice(list.length).join('.') }
}

/** The fields that all must be met, those of $and among them. */
function fieldsOf(filter: object): readonly string[] {
  return Object.entries(filter).flatMap(([name, value]) => {
    if (name !== '$and' || !Array.isArray(value)) return name.startsWith('$') ? [] : [name]
    return value.flatMap((part: unknown) => (typeof part === 'object' && part !== null ? fieldsOf(part) : []))
  })
}

/**
 * Advises about conditions on two fields of a list's documents: each may be met by another of them, so that calls count
 * in which no document meets both.
 */
export function adviseElements(filter: object, context: ParseContext): void {
  const { shape } = context
  if (shape === undefined || context.ownPipeline === true) return
  const lists = new Map<string, Set<string>>()
  for (const name of fieldsOf(filter)) {
    const found = inList(name, shape)
    if (found !== undefined) lists.set(found.list, (lists.get(found.list) ?? new Set()).add(found.field))
  }
  for (const [list, distinct] of lists) {
    const fields = [...distinct]
    if (fields.length < 2) continue
    const [a, b] = fields.map(field => echo(`${list}.${field}`))
    const inside = fields.map(field => `${echo(field)}: …`).join(', ')
    advise(
      context,
      `${a} and ${b} may be met by two entries of ${list}`,
      `; for one that meets both write {${echo(list)}: {"$elemMatch": {${inside}}}}`,
    )
  }
}
