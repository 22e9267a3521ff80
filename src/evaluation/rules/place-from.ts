/**
 * Place of the first that is of a turn or of one behind it, among things in the order of their turns; their number when
 * there is none. Found by halving: a call may have 100,000 turns, and each may be asked about.
 */
export function placeFrom(things: readonly { readonly index: number }[], index: number): number {
  let low = 0
  let high = things.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (things[middle]!.index < index) low = middle + 1
    else high = middle
  }
  return low
}
