import { formats } from '../formats/formats.js'
import { nearestMarks } from '../formats/shape/marks.js'
import type { Shape } from '../formats/shape/shape-of.js'

/** The format a document comes nearest to, by the fields it has of those by which the format is known. */
export interface NearestFormat {
  readonly format: string
  readonly has: readonly string[]
  readonly lacks: readonly string[]
}

export function nearestFormat(shape: Shape): NearestFormat | undefined {
  const found = formats
    .flatMap(({ name, marks }) => (marks === undefined ? [] : [{ format: name, ...nearestMarks(shape, marks) }]))
    .filter(({ has, lacks }) => has.length > 0 && lacks.length > 0)
  return found.toSorted((a, b) => shareOf(b) - shareOf(a) || b.has.length - a.has.length)[0]
}

function shareOf({ has, lacks }: NearestFormat): number {
  return has.length / (has.length + lacks.length)
}

/** What is said where a field is missing from JSON that is of no format: the end of a sentence. */
export function unknownHint(shape: Shape): string {
  const near = nearestFormat(shape)
  const nearest =
    near === undefined ? '' : ` (the nearest is ${near.format}, which has ${near.lacks.map(plain).join(' and ')} too)`
  return `the file is of no format that import knows${nearest}; "earshot import --explain FILE" says how to map it`
}

/** A mark in words. */
export function plain(mark: string): string {
  return mark.startsWith('!') ? `no ${mark.slice(1)}` : mark
}
