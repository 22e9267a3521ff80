import { echo } from '../base/text.js'
import { POISONED } from './poisoned.js'
import { Refusal } from './refusal.js'

/** A dotted field path, split. */
export type FieldPath = readonly string[]

/** Most steps of a path: MongoDB's own limit of nesting is 100, ours is the pipeline's depth. */
const MOST_STEPS = 32

/**
 * Reads a dotted path as it stands in a pipeline (without a leading `$`).
 * @param remedy what is said of an empty part, such as how else the text is written
 * @throws Refusal for an empty path or part, a part that starts with `$`, or a path too long.
 */
export function parsePath(text: string, where: string, remedy = ''): FieldPath {
  const parts = text.split('.')
  if (parts.length > MOST_STEPS)
    throw new Refusal(where, `the field path ${echo(text)} has more than ${MOST_STEPS} parts`)
  for (const part of parts) {
    if (part === '') throw new Refusal(where, `the field path ${echo(text)} has an empty part${remedy}`)
    if (part.startsWith('$')) throw new Refusal(where, `the field path ${echo(text)} has a part that starts with "$"`)
    if (POISONED.has(part)) throw new Refusal(where, `the field name ${echo(part)} is not allowed`)
    if (part.includes('\0')) throw new Refusal(where, `the field path ${echo(text)} holds a NUL character`)
  }
  return parts
}

/** Whether one path is the other or leads to it: what MongoDB calls a path collision. */
export function collides(a: FieldPath, b: FieldPath): boolean {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) if (a[i] !== b[i]) return false
  return true
}

/** Refuses two paths of one specification of which one leads to the other. */
export function refuseCollisions(paths: readonly FieldPath[], where: string): void {
  const sorted = paths.map(path => path.join('.')).toSorted()
  for (let i = 1; i < sorted.length; i += 1) {
    const [a, b] = [sorted[i - 1]!, sorted[i]!]
    if (a === b || b.startsWith(`${a}.`)) throw new Refusal(where, `the paths ${echo(a)} and ${echo(b)} collide`)
  }
}

/** What stands at the first name of some paths: at its end, or inside it with the rest of each path. */
export interface AtName<T> {
  readonly whole?: T
  readonly inside: readonly T[]
}

/** Fields by the first name of their paths, of which none is another's beginning; each is looked at once. */
export function byFirstName<T extends { readonly path: FieldPath }>(
  fields: readonly T[],
): ReadonlyMap<string, AtName<T>> {
  const found = new Map<string, { whole?: T; readonly inside: T[] }>()
  for (const field of fields) {
    const [name = '', ...rest] = field.path
    const at = found.get(name) ?? { inside: [] }
    if (rest.length === 0) at.whole = field
    else at.inside.push({ ...field, path: rest })
    found.set(name, at)
  }
  return found
}
