import type { Shape } from './shape-of.js'

/**
 * What tells a JSON document of a format: all of the marks of one of the lists. A mark is a field (`messages[].role`), a
 * field with its value (`type=conversation`), or one that may not be there (`!segments[].type`).
 */
export type Marks = readonly (readonly string[])[]

export function isMarked(shape: Shape, marks: Marks): boolean {
  return marks.some(all => all.every(mark => holds(shape, mark)))
}

function holds(shape: Shape, mark: string): boolean {
  if (mark.startsWith('!')) return !shape.has(mark.slice(1))
  const equals = mark.indexOf('=')
  if (equals === -1) return shape.has(mark)
  return shape.get(mark.slice(0, equals)) === mark.slice(equals + 1)
}

/** Of the list of marks that a document comes nearest to: which it has and which it lacks. */
export function nearestMarks(
  shape: Shape,
  marks: Marks,
): { readonly has: readonly string[]; readonly lacks: readonly string[] } {
  const all = marks.map(list => ({
    has: list.filter(mark => !mark.startsWith('!') && holds(shape, mark)),
    lacks: list.filter(mark => !holds(shape, mark)),
  }))
  const share = ({ has, lacks }: (typeof all)[number]) => has.length / (has.length + lacks.length)
  return all.toSorted((a, b) => share(b) - share(a))[0] ?? { has: [], lacks: [] }
}
