import { getLocation, type JSONPath } from 'jsonc-parser'

/** The names of the language, by what they are, and the paths of calls' fields, such as signals.key. */
export interface Names {
  readonly stages: readonly string[]
  readonly matching: readonly string[]
  readonly accumulators: readonly string[]
  readonly expressions: readonly string[]
  readonly fields: readonly string[]
}

/** What a name that is being typed may become. */
export interface Completion {
  /** Where it begins, and where it is typed. */
  readonly from: number
  readonly until: number
  readonly isKey: boolean
  readonly names: readonly string[]
}

const MOST_NAMES = 8
/** Where a field's condition stands in $match: beneath one of these, or at its top. */
const LOGICAL = ['$and', '$nor', '$or']
/** Stages whose keys are fields, and whether accumulators stand one or two names below them. */
const OF_FIELDS = new Set<unknown>(['$fill', '$project', '$sort'])
const OUTPUTS = new Map<unknown, number>([
  ['$group', 2],
  ['$bucket', 3],
  ['$bucketAuto', 3],
  ['$setWindowFields', 3],
])

/** What fits where something is typed; undefined where that is no name. */
export function completionAt(text: string, until: number, known: Names): Completion | undefined {
  const before = text.slice(0, until)
  const typed = /"([\w.$]*)$/.exec(before)?.[1]
  const isInside = (before.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1
  if (typed === undefined || !isInside) return undefined
  const { path, isAtPropertyKey: isKey } = getLocation(text, until)
  const fitting = isKey
    ? keysAt(withinFacets(path).slice(1, -1), known)
    : valuesAt(withinFacets(path).slice(1), typed, known)
  const wanted = typed.toLowerCase()
  const found = fitting.filter(name => name.toLowerCase().includes(wanted) && name !== typed)
  const names = found.toSorted((a, b) => Number(b.startsWith(typed)) - Number(a.startsWith(typed))).slice(0, MOST_NAMES)
  return names.length === 0 ? undefined : { from: until - typed.length, until, isKey, names }
}

/** The text with a name in place of what was typed of it, and where one types on. */
export function completed(text: string, { from, until, isKey }: Completion, name: string) {
  const rest = text.slice(until).replace(/^[\w.$]*"?/, '')
  const written = `${name}"${isKey && !/^\s*:/.test(rest) ? ': ' : ''}`
  return { text: text.slice(0, from) + written + rest, caret: from + written.length }
}

/** The path in the innermost pipeline. */
function withinFacets(path: JSONPath): JSONPath {
  return path[1] === '$facet' && path.length > 3 ? withinFacets(path.slice(3)) : path
}

/** @param above the names above a key, its stage first */
function keysAt(above: JSONPath, { accumulators, expressions, fields, matching, stages }: Names): readonly string[] {
  const [stage, ...inner] = above
  if (stage === undefined) return stages
  if (stage === '$match' && !inner.includes('$expr')) {
    const parent = inner.findLast(one => typeof one === 'string')
    const isAtTop = parent === undefined || LOGICAL.includes(parent)
    return isAtTop ? [...fields, ...LOGICAL, '$expr'] : [...matching, '$not']
  }
  if (OF_FIELDS.has(stage) && inner.length === 0) return fields
  const depth = OUTPUTS.get(stage)
  if (depth !== undefined && above.length === depth && !inner.includes('_id')) return accumulators
  return inner.length === 0 ? [] : expressions
}

/** @param stage the first of the names above a value */
function valuesAt([stage]: JSONPath, typed: string, { fields }: Names): readonly string[] {
  if (stage === '$unset') return fields
  return typed.startsWith('$') ? fields.map(name => `$${name}`) : []
}
