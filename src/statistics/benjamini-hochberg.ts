/**
 * Adjusts p-values for the number of tests: q-values after Benjamini and Hochberg (1995), in the order given. Calling
 * everything below q a change keeps the expected share of false ones below q.
 */
export function benjaminiHochberg(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => b.p - a.p)
  const adjusted = Array.from<number>({ length: pValues.length })
  let smallest = 1
  for (const [above, { p, index }] of order.entries()) {
    const rank = pValues.length - above
    smallest = Math.min(smallest, (p * pValues.length) / rank)
    adjusted[index] = smallest
  }
  return adjusted
}
