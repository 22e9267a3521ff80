/** The longest pause between two attempts, in milliseconds. */
const LONGEST_MS = 4 * 3_600_000

/**
 * When a delivery that failed is tried again: pauses double, from the first up to four hours, each off by a fifth at
 * most, so that what failed together does not come back together.
 *
 * @param attempts how often it was tried, 1 at least
 * @param firstMs the first pause
 * @param chance 0 to 1, random
 * @returns milliseconds to wait
 */
export function retryAfter(attempts: number, firstMs: number, chance: number): number {
  const pause = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(attempts - 1, 40))
  return Math.round(pause * (0.8 + 0.4 * chance))
}
