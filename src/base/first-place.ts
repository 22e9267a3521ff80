/** The place of the first that something is so of, as it is of all behind it; their number where it is so of none. Found by halving. */
export function firstPlace<T>(some: readonly T[], isSo: (one: T) => boolean): number {
  let [low, high] = [0, some.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSo(some[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
