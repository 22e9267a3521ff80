import type { Said } from './reading.js'

/** Turns in which something counts, first and last, and perhaps the end of the turn before from a word on. */
export interface Covering {
  readonly from: number
  readonly to: number
  readonly tail?: number
}

/** Whether something said lies in one of some stretches; each is looked at once, however much is said. */
export function covered(stretches: readonly Covering[]): (said: Said) => boolean {
  const sorted = stretches.toSorted((a, b) => a.from - b.from)
  /** The furthest end of those up to each. */
  const ends: number[] = []
  /** From which word on a turn counts. */
  const tails = new Map<number, number>()
  for (const { from, to, tail } of sorted) {
    ends.push(Math.max(to, ends.at(-1) ?? -Infinity))
    if (tail !== undefined) tails.set(from - 1, Math.min(tail, tails.get(from - 1) ?? Infinity))
  }
  return ({ index, from: word }) => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle]!.from <= index) low = middle + 1
      else high = middle
    }
    return (low > 0 && ends[low - 1]! >= index) || word >= (tails.get(index) ?? Infinity)
  }
}
