/** Milliseconds on the wall's clock, or of processor time in all threads of this process. */
export type Clock = 'wall' | 'cpu'

const now: Readonly<Record<Clock, () => number>> = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
}

/**
 * The least time of several ways to the same answer, taken in turn: what else runs on the machine only adds to them, and
 * meets all of them.
 */
export async function timed(
  ways: readonly (() => unknown)[],
  rounds: number,
  clock: Clock,
): Promise<readonly number[]> {
  const least = ways.map(() => Infinity)
  // The first round fills caches and compiles.
  for (let round = -1; round < rounds; round += 1) {
    for (const [i, way] of ways.entries()) {
      const started = now[clock]()
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await way()
      if (round >= 0) least[i] = Math.min(least[i]!, now[clock]() - started)
    }
  }
  return least
}
