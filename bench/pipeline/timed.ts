/** Milliseconds of several ways to the same answer, taken in turn so that what else runs on the machine meets all. */
export async function timed(
  ways: readonly (() => unknown)[],
  rounds: number,
): Promise<readonly { readonly median: number; readonly least: number }[]> {
  const took = ways.map((): number[] => [])
  // The first round fills caches and compiles.
  for (let round = -1; round < rounds; round += 1) {
    for (const [i, way] of ways.entries()) {
      const started = performance.now()
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await way()
      if (round >= 0) took[i]!.push(performance.now() - started)
    }
  }
  return took.map(times => {
    const sorted = times.toSorted((a, b) => a - b)
    return { median: sorted[sorted.length >> 1]!, least: sorted[0]! }
  })
}
