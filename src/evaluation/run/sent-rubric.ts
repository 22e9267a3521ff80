import { createHash } from 'node:crypto'
import type { RunRubric } from './evaluate-batch.js'

/**
 * A rubric on its way to a thread, which goes with every piece of work: as text it is copied a hundred times as fast as
 * its thousands of objects, and read by a thread that has not met it yet.
 */
export interface SentRubric {
  /** The same for the same rubric, version and lines of business. */
  readonly key: string
  /** A RunRubric. */
  readonly json: string
}

const sent = new WeakMap<RunRubric, SentRubric>()

export function sentRubric(rubric: RunRubric): SentRubric {
  const known = sent.get(rubric)
  if (known !== undefined) return known
  const json = JSON.stringify(rubric)
  const made = { key: createHash('sha256').update(json).digest('base64'), json }
  sent.set(rubric, made)
  return made
}
