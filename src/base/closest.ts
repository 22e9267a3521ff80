import { distance } from 'fastest-levenshtein'

/** Longest word worth comparing: an error must not cost more than the answer it replaces. */
const LONGEST_COMPARED = 100

/** Shortest name that counts as meant when it is part of an accepted one: "agent" of agent_name. */
const SHORTEST_PART = 3

/** How far a written name is from an accepted one; a part of a name is nearer than any misspelling of another. */
function farness(written: string, accepted: string): number {
  const a = written.toLowerCase()
  const b = accepted.toLowerCase()
  const isPart = Math.min(a.length, b.length) >= SHORTEST_PART && (b.includes(a) || a.includes(b))
  if (isPart) return Math.abs(a.length - b.length) / LONGEST_COMPARED
  const far = distance(a, b)
  // Every letter is another one: short names have nothing in common then, however few letters that are.
  return far >= Math.max(a.length, b.length) ? Infinity : far
}

/** The accepted name nearest to what was written, when it is near enough to be what was meant. */
export function closest(written: string, accepted: Iterable<string>): string | undefined {
  if (written.length > LONGEST_COMPARED) return undefined
  let best: string | undefined
  let nearest = Math.max(2, Math.floor(written.length * 0.4)) + 1
  for (const name of accepted) {
    const far = farness(written, name)
    if (far < nearest) {
      best = name
      nearest = far
    }
  }
  return best
}
