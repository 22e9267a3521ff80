/** Adds doubles with Neumaier's compensation, as MongoDB does: ten times 0.1 is 1. */
export function compensatedSum(): { add(value: number): void; result(): number } {
  let sum = 0
  let compensation = 0
  return {
    add: value => {
      const next = sum + value
      if (Number.isFinite(next))
        compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
      sum = next
    },
    // What is not finite has nothing to compensate.
    result: () => (Number.isFinite(sum) ? sum + compensation : sum),
  }
}
