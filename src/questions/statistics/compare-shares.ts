import jstat from 'jstat'

/** How many of how many. */
export interface Share {
  readonly hits: number
  readonly of: number
}

/** Below this expected count in any cell the normal approximation is not trusted (Cochran's rule). */
const SMALL = 5

/**
 * Two-sided p-value that two shares differ: Fisher's exact test when an expected cell is below 5, else the two-proportion
 * z-test with pooled variance. 1 when a side is empty: nothing can be said.
 */
export function compareShares(a: Share, b: Share): number {
  const total = a.of + b.of
  const hits = a.hits + b.hits
  if (a.of === 0 || b.of === 0 || hits === 0 || hits === total) return 1
  const expected = [a.of, b.of].flatMap(of => [(of * hits) / total, (of * (total - hits)) / total])
  return Math.min(...expected) < SMALL ? fisher(a, b) : twoProportions(a, b)
}

function twoProportions(a: Share, b: Share): number {
  const pooled = (a.hits + b.hits) / (a.of + b.of)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.of + 1 / b.of))
  const z = Math.abs(a.hits / a.of - b.hits / b.of) / error
  return Math.min(1, 2 * jstat.normal.cdf(-z, 0, 1))
}

/** Tables as likely as the observed one count as such although their probabilities differ in the last digits. */
const TIE = 1 + 1e-7

/** The sum of the probabilities of all tables with these margins that are no likelier than the observed one. */
function fisher(a: Share, b: Share): number {
  const total = a.of + b.of
  const hits = a.hits + b.hits
  const lowest = Math.max(0, hits - b.of)
  const highest = Math.min(hits, a.of)
  const all = jstat.combinationln(total, hits)
  const probability = (x: number) => Math.exp(jstat.combinationln(a.of, x) + jstat.combinationln(b.of, hits - x) - all)
  const observed = probability(a.hits) * TIE
  let sum = 0
  for (let x = lowest; x <= highest; x += 1) {
    const p = probability(x)
    if (p <= observed) sum += p
  }
  return Math.min(1, sum)
}
