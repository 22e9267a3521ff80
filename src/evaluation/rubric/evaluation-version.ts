import { createHash } from 'node:crypto'
import { EVALUATOR_FINGERPRINT } from '../evaluator-fingerprint.js'
import type { Rubric } from './rubric.js'
import { withVerticals } from './signal-catalogs.js'

const known = new WeakMap<Rubric, string>()

/**
 * Which evaluation a rubric makes with this program: a hash of what it says, however it is written, and of the evaluator.
 * Nobody keeps it by hand, so that calls evaluated by anything else are always found to be stale.
 *
 * @param others the same in other languages: what is made of a call in one of them is of its version
 */
export function evaluationHash(rubric: Rubric, others: readonly Rubric[] = []): string {
  const hash = known.get(rubric) ?? hashOf([EVALUATOR_FINGERPRINT, rubric, ...others])
  known.set(rubric, hash)
  return hash
}

/** What evaluations keep as `rubric_version`: the name of a project's version, and the hash of what it makes of calls. */
export function evaluationVersion(version: string, rubric: Rubric, verticals: readonly string[]): string {
  const hash = evaluationHash(rubric)
  if (verticals.length === 0) return version === hash ? hash : `${version}+${hash}`
  // Other signals apply in other lines of business.
  const applied = hashOf([
    hash,
    evaluationHash(withVerticals(rubric, verticals)),
    verticals.map(vertical => vertical.toLowerCase()).toSorted(),
  ])
  return version === hash ? applied : `${version}+${applied}`
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, inOrder)).digest('hex').slice(0, 12)
}

/** Fields in one order, whichever they were written in. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
