import { Refusal, defaultLimits } from '../pipeline/index.js'

/**
 * A pipeline as callers give it: an array, or an array written as a JSON text, which is what some models send. What it
 * holds is for the parser to judge.
 */
export function readPipeline(given: unknown): unknown {
  if (typeof given !== 'string') return given
  if (Buffer.byteLength(given) > defaultLimits.bytes) {
    throw new Refusal('pipeline', `is longer than ${defaultLimits.bytes} bytes`)
  }
  try {
    const read: unknown = JSON.parse(given)
    if (Array.isArray(read)) return read
  } catch {
    // Said below, with what would be right.
  }
  throw new Refusal('pipeline', 'is a text and no JSON array; give an array of stages, such as [{"$match": {…}}]')
}
