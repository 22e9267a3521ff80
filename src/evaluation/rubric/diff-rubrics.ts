import { isObject } from '../../base/is-object.js'
import type { Rubric } from './rubric.js'

/** One thing in which two rubrics differ. Values are as YAML or JSON would have them. */
export interface RubricDifference {
  /** Such as `signals sig.greeting_given weight`. */
  readonly where: string
  readonly before?: unknown
  readonly after?: unknown
}

/** In what two rubrics differ: entries with a key are told apart by it, whatever their place; phrases one by one. */
export function diffRubrics(before: Rubric, after: Rubric): readonly RubricDifference[] {
  return diff([], before, after)
}

type Path = readonly string[]

function diff(path: Path, before: unknown, after: unknown): readonly RubricDifference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(path, before, after)
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap(name => diff([...path, name], before[name], after[name]))
  }
  return [one(path, before, after)]
}

function diffLists(path: Path, before: readonly unknown[], after: readonly unknown[]): readonly RubricDifference[] {
  const all = [...before, ...after]
  if (all.every(entry => nameOf(entry) !== undefined)) {
    const [old, now] = [byName(before), byName(after)]
    const names = [...new Set([...old.keys(), ...now.keys()])]
    const changed = names.flatMap(name => diff([...path, name], old.get(name), now.get(name)))
    const orders = [[...old.keys()].filter(name => now.has(name)), [...now.keys()].filter(name => old.has(name))]
    const moved = JSON.stringify(orders[0]) !== JSON.stringify(orders[1])
    return moved ? [...changed, one([...path, 'order'], orders[0], orders[1])] : changed
  }
  if (all.every(entry => typeof entry === 'string')) {
    const [old, now] = [new Set(before), new Set(after)]
    return [
      ...before.filter(entry => !now.has(entry)).map(entry => one(path, entry, undefined)),
      ...after.filter(entry => !old.has(entry)).map(entry => one(path, undefined, entry)),
    ]
  }
  return [one(path, before, after)]
}

function one(path: Path, before: unknown, after: unknown): RubricDifference {
  return {
    where: path.join(' '),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }
}

function byName(entries: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(entries.map(entry => [nameOf(entry) ?? '', entry] as const))
}

function nameOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return undefined
  const name = entry['key'] ?? entry['driver']
  return typeof name === 'string' ? name : undefined
}
