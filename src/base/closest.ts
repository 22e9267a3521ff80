import { distance } from 'fastest-levenshtein'

/** Longest word worth comparing: an error must not cost more than the answer it replaces. */
const LONGEST = 100

/** The accepted name nearest to what was written, when it is near enough to be what was meant. */
export function closest(written: string, accepted: Iterable<string>): string | undefined {
  if (written.length > LONGEST) return undefined
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(written.length * 0.4)) + 1
  for (const name of accepted) {
    const d = distance(written.toLowerCase(), name.toLowerCase())
    if (d < bestDistance) {
      best = name
      bestDistance = d
    }
  }
  return best
}
