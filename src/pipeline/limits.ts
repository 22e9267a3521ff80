import { POISONED } from './poisoned.js'
import { Refusal } from './refusal.js'
import { Double } from './value.js'

/** The limits a pipeline is counted against before anything runs. */
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

/** JSON writes no bigint; its digits are what is counted. */
const countable = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

/** The stages of a sub-pipeline of $facet, which count like all others. */
function facetStages(key: string, child: unknown): number {
  if (key !== '$facet' || typeof child !== 'object' || child === null) return 0
  return Object.values(child).reduce<number>((sum, stages) => sum + (Array.isArray(stages) ? stages.length : 0), 0)
}

/** What JSON has, or stands for in a program: other objects would be taken for documents without fields. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  const isJson = prototype === Object.prototype || prototype === null || Array.isArray(value)
  return isJson || value instanceof Date || value instanceof RegExp || value instanceof Double
}

/**
 * Counts stages, size, depth and field names of a pipeline. Iterative: a pipeline a million levels deep is refused, not
 * a stack overflow.
 */
export function checkLimits(pipeline: readonly unknown[], limits: PipelineLimits): void {
  let stages = pipeline.length
  let values = 0
  const stack: { value: unknown; path: string; depth: number }[] = [{ value: pipeline, path: 'pipeline', depth: 0 }]
  while (stack.length > 0) {
    const { value, path, depth } = stack.pop()!
    if (typeof value !== 'object' || value === null) continue
    if (!isPlain(value)) throw new Refusal(path, `a ${value.constructor.name} is not a value a pipeline can hold`)
    if (depth > limits.depth) throw new Refusal('pipeline', `is nested deeper than ${limits.depth} levels`)
    for (const [key, child] of Object.entries(value)) {
      if (POISONED.has(key)) throw new Refusal(path, `the field name ${JSON.stringify(key)} is not allowed`)
      if (!key.isWellFormed() || (typeof child === 'string' && !child.isWellFormed())) {
        throw new Refusal(path, 'half of a character (a lone surrogate) stands in a text; no call holds one')
      }
      stages += facetStages(key, child)
      values += 1
      stack.push({
        value: child,
        path: Array.isArray(value) ? `${path}[${key}]` : `${path}.${key.slice(0, 100)}`,
        depth: depth + 1,
      })
    }
    // Every value takes a byte at least: what is far too large is not written out to be measured.
    if (values > limits.bytes) throw new Refusal('pipeline', `is longer than ${limits.bytes} bytes`)
  }
  if (stages > limits.stages) {
    throw new Refusal('pipeline', `has ${stages} stages; at most ${limits.stages} are allowed`)
  }
  const bytes = Buffer.byteLength(JSON.stringify(pipeline, countable))
  if (bytes > limits.bytes) throw new Refusal('pipeline', `is ${bytes} bytes long; at most ${limits.bytes} are allowed`)
}
