import type { HeardCall } from './heard-call.js'

/** Turns in which a listener shows no more than that they listen. */
export interface Backchannels {
  /** By the place of a turn among the spoken turns. */
  has(index: number): boolean
  /** Turns other than these from one place to a later one. */
  othersBetween(from: number, to: number): number
}

const NONE: Backchannels = { has: () => false, othersBetween: (from, to) => to - from }

/** @param said the words of listeners, in the order of the turns: a turn that holds no others is a backchannel */
export function backchannelsIn(
  { spoken }: HeardCall,
  said: readonly { readonly index: number; readonly from: number; readonly to: number }[],
): Backchannels {
  const found = new Set<number>()
  for (let at = 0; at < said.length;) {
    const { index } = said[at]!
    let reached = 0
    for (; said[at]?.index === index; at += 1) {
      const { from, to } = said[at]!
      if (from <= reached) reached = Math.max(reached, to)
    }
    if (reached === spoken[index]!.said.words.length) found.add(index)
  }
  if (found.size === 0) return NONE
  /** By place: turns other than these up to it. */
  const others: number[] = []
  for (const { index } of spoken) others.push((others.at(-1) ?? 0) + (found.has(index) ? 0 : 1))
  return { has: index => found.has(index), othersBetween: (from, to) => others[to]! - others[from]! }
}
