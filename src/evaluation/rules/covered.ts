import { placeFrom } from './place-from.js'
import type { Said } from './reading.js'

/** Turns in which something counts, first and last, and perhaps the end of the turn before from a word on. */
export interface Covering {
  readonly from: number
  readonly to: number
  readonly tail?: number
}

/** Whether something said lies in one of some stretches; each is looked at once, however much is said. */
export function covered(stretches: readonly Covering[]): (said: Said) => boolean {
  const [only] = stretches
  // As mostly; then there is nothing to put in order.
  if (only !== undefined && stretches.length === 1) {
    const { from, to, tail = Infinity } = only
    return ({ index, from: word }) => (index >= from && index <= to) || (index === from - 1 && word >= tail)
  }
  const sorted = stretches.toSorted((a, b) => a.from - b.from)
  const starts = sorted.map(({ from }) => ({ index: from }))
  /** The furthest end of those up to each. */
  const ends: number[] = []
  /** From which word on a turn counts. */
  const tails = new Map<number, number>()
  for (const { from, to, tail } of sorted) {
    ends.push(Math.max(to, ends.at(-1) ?? -Infinity))
    if (tail !== undefined) tails.set(from - 1, Math.min(tail, tails.get(from - 1) ?? Infinity))
  }
  return ({ index, from: word }) => {
    const begun = placeFrom(starts, index + 1)
    return (begun > 0 && ends[begun - 1]! >= index) || word >= (tails.get(index) ?? Infinity)
  }
}
