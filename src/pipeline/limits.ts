import { Refusal } from './refusal.js'

/** The limits a pipeline is counted against before anything runs (interface.md, section 7). */
export interface PipelineLimits {
  /** Bytes of the pipeline's JSON. */
  readonly bytes: number
  readonly stages: number
  /** Levels of nesting in the pipeline's JSON. */
  readonly depth: number
  /** UTF-16 units of a regular expression. */
  readonly patternLength: number
}

export const defaultLimits: PipelineLimits = { bytes: 64 * 1024, stages: 50, depth: 32, patternLength: 1_000 }

/** Names that would reach into JavaScript's own objects. */
const POISONED = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Counts size, depth and field names of a pipeline. Iterative: a pipeline a million levels deep is refused, not a
 * stack overflow.
 */
export function checkLimits(pipeline: unknown, limits: PipelineLimits): void {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value: pipeline, path: 'pipeline', depth: 0 }]
  while (stack.length > 0) {
    const { value, path, depth } = stack.pop()!
    if (typeof value !== 'object' || value === null) continue
    if (depth > limits.depth) throw new Refusal('pipeline', `is nested deeper than ${limits.depth} levels`)
    for (const [key, child] of Object.entries(value)) {
      if (POISONED.has(key)) throw new Refusal(path, `the field name ${JSON.stringify(key)} is not allowed`)
      stack.push({
        value: child,
        path: Array.isArray(value) ? `${path}[${key}]` : `${path}.${key.slice(0, 100)}`,
        depth: depth + 1,
      })
    }
  }
  const bytes = Buffer.byteLength(JSON.stringify(pipeline) ?? '')
  if (bytes > limits.bytes) throw new Refusal('pipeline', `is ${bytes} bytes long; at most ${limits.bytes} are allowed`)
}
